import DeviceLink
import Foundation
import NIOCore
import PushAPI
import PushClock
import PushModel
import PushService

// One device after the other: what several register at once shares transactions, and how many share one is chance.
let registrationRoads = [
    Road(name: "registration", unit: "registration with a token", house: "registrations") { try await register($0) },
    Road(name: "registration_link", unit: "registration with a token", house: "registrations") {
        try await registerOnLink($0)
    },
    Road(name: "login", unit: "login", house: "registrations") { try await logIn($0) },
    Road(name: "receipt", unit: "receipt", house: "registrations") { try await report($0) },
]

private func token(_ number: Int) -> DeviceToken { DeviceToken(words: SIMD4(1, 2, 3, UInt64(number))) }

/// `POST /posthorn/v1/registrations` on an open connection.
private func register(_ meter: Meter) async throws {
    let count = 16
    let house = try await House()
    try await house.serve { port in
        let client = try await PlainHTTP.connect(port: port, answers: Arrivals())
        var next = 0
        func request() -> ByteBuffer {
            next += 1
            let body =
                #"{"app_key":"\#(house.app.key)","bundle_id":"\#(house.app.bundleID)","environment":"production","#
                + #""system":"iOS 17.0","installation":"installation\#(next)","token":"\#(token(next).hexadecimal)"}"#
            return PlainHTTP.post("/posthorn/v1/registrations", body)
        }
        try await meter.measure(units: count, prepare: { (0..<count).map { _ in request() } }) { requests in
            for request in requests {
                client.send(request)
                try await client.answers.wait()
            }
        }
    }
    try house.remove()
}

/// The same on open links, one for each device.
private func registerOnLink(_ meter: Meter) async throws {
    let count = 16
    let house = try await House()
    try await house.serve { port in
        let texts = Arrivals()
        var next = 0
        func open() async throws -> (link: PlainLink, register: ByteBuffer, token: ByteBuffer) {
            next += 1
            let token = SDKFrame.request(number: 1, .token(token(next), .production))
            return (
                try await PlainLink.open(port: port, path: PushAPI.linkPath, texts: texts),
                PlainLink.frames([SDKFrame.register(house.registration(next)).text]), PlainLink.frames([token.text])
            )
        }
        try await meter.measure(units: count) {
            var devices: [(link: PlainLink, register: ByteBuffer, token: ByteBuffer)] = []
            for _ in 0..<count { devices.append(try await open()) }
            return devices
        } _: { devices in
            for device in devices {
                device.link.send(device.register)
                // The identity, and that the device has logged in.
                try await texts.wait(for: 2)
                device.link.send(device.token)
                try await texts.wait()
            }
        }
    }
    try house.remove()
}

/// A known device on an open link.
private func logIn(_ meter: Meter) async throws {
    let count = 32
    let house = try await House()
    try await house.serve { port in
        let texts = Arrivals()
        let logins = try await house.logins(of: count)
        try await meter.measure(units: count) {
            var links: [PlainLink] = []
            for _ in 0..<count { links.append(try await .open(port: port, path: PushAPI.linkPath, texts: texts)) }
            return links
        } _: { links in
            for (link, login) in zip(links, logins) {
                link.send(login)
                try await texts.wait()
            }
        }
    }
    try house.remove()
}

/// A device's report that it has received a push, over its link.
private func report(_ meter: Meter) async throws {
    let count = 16
    let house = try await House()
    try await house.serve { port in
        let texts = Arrivals()
        var links: [PlainLink] = []
        for login in try await house.logins(of: count) {
            let link = try await PlainLink.open(port: port, path: PushAPI.linkPath, texts: texts)
            link.send(login)
            try await texts.wait()
            links.append(link)
        }
        try await meter.measure(units: count) {
            let body = Array((#"{"platform":["ios"],"audience":"all","# + notificationAndOptions).utf8)
            let message = try await house.core.acceptor.accept(body, for: house.app).messageID
            let time = Int64(house.clock.date.timeIntervalSince1970)
            let receipt = SDKReceipt(messageID: message.number, event: .received, time: time)
            return PlainLink.frames([SDKFrame.request(number: 1, .receipts([receipt])).text])
        } _: { frame in
            for link in links {
                link.send(frame)
                try await texts.wait()
            }
        }
    }
    try house.remove()
}

extension House {
    /// Registers devices, and returns the frame with which each logs in.
    fileprivate func logins(of count: Int) async throws -> [ByteBuffer] {
        var logins: [ByteBuffer] = []
        for number in 0..<count {
            let registered = try await core.registrations.register(
                registration(number),
                with: [.token(token(number), .production)],
                from: nil
            )
            let login = SDKFrame.login(
                appKey: app.key.text,
                registrationID: registered.registrationID.text,
                secret: registered.secret
            )
            logins.append(PlainLink.frames([login.text]))
        }
        return logins
    }
}
