import DeviceLink
import Foundation
import NIOCore
import PushAPI
import PushClock
import PushModel
import PushService
import Synchronization

// Each in a process of its own: what the event loops of one process have done before changes which of them take the next connections, and
// so what a road counts.
let acceptRoads = [
    Road(name: "accept", unit: "push", house: "pushes") { try await acceptSingle($0) },
    Road(name: "accept_batch", unit: "push in a batch of 100", house: "batches") { try await acceptBatch($0) },
    Road(name: "accept_template", unit: "push of 20 from a template", house: "calls") { try await acceptTemplate($0) },
    Road(name: "message", unit: "message to a device until its acknowledgement", house: "messages") {
        try await message($0)
    },
    Road(name: "fan_out", unit: "message to a link", house: "links") { try await fanOut($0) },
]

let notificationAndOptions =
    #""notification":{"ios":{"alert":"hello","badge":1,"sound":"default","extras":{"orderId":"1234"}}},"#
    + #""options":{"time_to_live":86400,"apns_production":true}}"#

/// `POST /v3/push` to one device. All connections send in the same turn of the event loop, so their pushes share a transaction.
private func acceptSingle(_ meter: Meter) async throws {
    let (connections, rounds) = (16, 5)
    let house = try await House()
    house.addDevices(connections * rounds)
    let requests = (0..<connections * rounds).map { number in
        let device = house.registrationID(number)
        let body = #"{"platform":["ios"],"audience":{"registration_id":["\#(device)"]},"# + notificationAndOptions
        return PlainHTTP.post("/v3/push", body, authorization: house.authorization)
    }
    try await house.serve { port in
        let clients = try await PlainClients(connections, port: port)
        try await meter.measure(units: requests.count) {
            for start in stride(from: 0, to: requests.count, by: connections) {
                try await clients.send(requests[start..<start + connections])
            }
        }
    }
    try house.remove()
}

/// `POST /v3/push/batch/regid/single`, each push to a device of its own.
private func acceptBatch(_ meter: Meter) async throws {
    let (size, rounds) = (100, 2)
    let house = try await House()
    house.addDevices(size)
    let devices = (0..<size).map { house.registrationID($0).text }
    try await house.serve { port in
        let client = try await PlainHTTP.connect(port: port, answers: Arrivals())
        var next = 0
        // A cid is accepted once, so each push has its own.
        func request() -> ByteBuffer {
            let pushes = devices.map { device in
                next += 1
                let number = String(next, radix: 16)
                let digits = String(repeating: "0", count: 12 - number.count) + number
                let cid = "\(house.app.key)-00000000-0000-4000-8000-\(digits)"
                return #""\#(cid)":{"platform":["ios"],"target":"\#(device)","# + notificationAndOptions
            }
            let body = #"{"pushlist":{\#(pushes.joined(separator: ","))}}"#
            return PlainHTTP.post("/v3/push/batch/regid/single", body, authorization: house.authorization)
        }
        // The first request of a caller takes another way, which checks its password.
        client.send(request())
        try await client.answers.wait()
        try await meter.measure(units: size * rounds, prepare: { (0..<rounds).map { _ in request() } }) { requests in
            for request in requests {
                client.send(request)
                try await client.answers.wait()
            }
        }
    }
    try house.remove()
}

/// `POST /v3/push/template`, each push with values of its own for its device.
private func acceptTemplate(_ meter: Meter) async throws {
    let (size, rounds) = (20, 2)
    let house = try await House()
    house.addDevices(size)
    let push =
        #"{"platform":["ios"],"notification":{"ios":{"alert":"Hi {{name}}, your order {{order}} is on its way"}}}"#
    let template = Array(#"{"name":"parcel","push":\#(push)}"#.utf8)
    let id = try await house.core.templates.create(template, for: house.app).id
    let params = (0..<size).map { number in
        let device = house.registrationID(number)
        return
            #"{"keys":{"name":"Name\#(number)","order":"\#(1000 + number)"},"audience":{"registration_id":["\#(device)"]}}"#
    }
    let body = #"{"id":"\#(id)","params":[\#(params.joined(separator: ","))]}"#
    let request = PlainHTTP.post("/v3/push/template", body, authorization: house.authorization)
    try await house.serve { port in
        let client = try await PlainHTTP.connect(port: port, answers: Arrivals())
        // As above.
        client.send(request)
        try await client.answers.wait()
        try await meter.measure(units: size * rounds) {
            for _ in 0..<rounds {
                client.send(request)
                try await client.answers.wait()
            }
        }
    }
    try house.remove()
}

/// Custom messages to a device each, from the request to the acknowledgement on the device's link that is stored.
private func message(_ meter: Meter) async throws {
    let (links, rounds) = (16, 3)
    let house = try await House()
    try await house.serve { port in
        let texts = Arrivals()
        let clients = try await PlainClients(links, port: port)
        var all: [PlainLink] = []
        for number in 0..<links {
            let link = try await PlainLink.open(port: port, path: PushAPI.linkPath, texts: texts)
            link.send(PlainLink.frames([SDKFrame.register(house.registration(number)).text]))
            try await texts.wait(for: 2)
            all.append(link)
        }
        let content = String(repeating: "m", count: 200)
        let requests = (0..<links).map { number in
            let body =
                #"{"platform":["ios"],"audience":{"registration_id":["\#(house.registrationID(number))"]},"#
                + #""message":{"msg_content":"\#(content)"}}"#
            return PlainHTTP.post("/v3/push", body, authorization: house.authorization)
        }
        // Everything up to a position, which lies beyond those of the messages.
        let last = Int64(house.clock.date.timeIntervalSince1970 * 1_000_000) + 1_000_000
        var reply = PlainLink.frames([SDKFrame.acknowledge(position: last).text])
        reply.writeImmutableBuffer(PlainLink.ping)
        try await meter.measure(units: links * rounds) {
            for _ in 0..<rounds {
                try await clients.send(requests[...])
                try await texts.wait(for: links)
                for link in all { link.send(reply) }
                try settle()
                try await texts.wait(for: links)
                try await house.core.journeyLog.flush()
            }
        }
    }
    try house.remove()
}

/// A custom message to all, one after the other, on the links of its devices, and one acknowledgement of each, long before the end, so
/// that all that it costs is counted.
private func fanOut(_ meter: Meter) async throws {
    let (links, messages) = (64, 10)
    let house = try await House()
    let content = String(repeating: "m", count: 200)
    let body = #"{"platform":["ios"],"audience":"all","message":{"msg_content":"\#(content)"}}"#
    let request = PlainHTTP.post("/v3/push", body, authorization: house.authorization)
    try await house.serve { port in
        let client = try await PlainHTTP.connect(port: port, answers: Arrivals())
        let texts = Arrivals()
        var all: [PlainLink] = []
        for number in 0..<links {
            let link = try await PlainLink.open(port: port, path: PushAPI.linkPath, texts: texts)
            link.send(PlainLink.frames([SDKFrame.register(house.registration(number)).text]))
            // The identity, and that the device has logged in.
            try await texts.wait(for: 2)
            all.append(link)
        }
        // All links get the same messages, so one of them is read.
        let last = Mutex(ByteBuffer())
        all[0].onText { text in last.withLock { $0 = text } }
        try await meter.measure(units: links * messages) {
            for number in 1...messages {
                client.send(request)
                try await client.answers.wait()
                try await texts.wait(for: links)
                guard number == 3 else { continue }
                guard case .message(let message) = try SDKFrame(text: String(buffer: last.withLock { $0 })) else {
                    throw UnexpectedAnswer("A link got no message.")
                }
                let acknowledgement = PlainLink.frames([SDKFrame.acknowledge(position: message.position).text])
                for link in all { link.send(acknowledgement) }
                try settle()
            }
        }
    }
    try house.remove()
}
