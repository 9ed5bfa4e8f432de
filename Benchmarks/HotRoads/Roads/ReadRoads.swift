import Foundation
import NIOCore
import PushClock
import PushModel
import PushService

let readRoads = [
    Road(name: "export", unit: "device on a page of 1,000", house: "rows") { try await export($0) },
    Road(name: "events", unit: "event on a page of 101", house: "calls") { try await events($0) },
]

/// `GET /posthorn/v1/devices`, as an export reads all devices.
private func export(_ meter: Meter) async throws {
    let count = 1000
    let house = try await House()
    try await house.importDevices((0..<count).map(DeviceImport.init(number:)))
    try await house.serve { port in
        let client = try await PlainHTTP.connect(port: port, answers: Arrivals())
        let request = PlainHTTP.get("/posthorn/v1/devices?limit=\(count)", authorization: house.authorization)
        try await meter.measure(units: count) {
            client.send(request)
            try await client.answers.wait()
        }
    }
    try house.remove()
}

/// `GET /posthorn/v1/events` after a push and the receipts of its devices. The page gives new events their positions, too.
private func events(_ meter: Meter) async throws {
    let count = 100
    let house = try await House { $0.retention.events = 7 }
    house.addDevices(count)
    try await house.serve { port in
        let client = try await PlainHTTP.connect(port: port, answers: Arrivals())
        var position = 0
        try await meter.measure(units: count + 1) {
            let body = Array((#"{"platform":["ios"],"audience":"all","# + notificationAndOptions).utf8)
            let message = try await house.core.acceptor.accept(body, for: house.app).messageID
            for number in 0..<count {
                let device = DeviceID(app: house.app.id, ordinal: DeviceOrdinal(number))
                try await house.core.store.record([message: .received], inApp: [:], of: device, at: house.clock.date)
            }
            defer { position += count + 1 }
            return PlainHTTP.get("/posthorn/v1/events?after=\(position)", authorization: house.authorization)
        } _: { request in
            client.send(request)
            try await client.answers.wait()
        }
        let last = try await house.core.store.events(of: house.app.id, after: Int64(position - 1), limit: 10)
        guard last.rows.map(\.position) == [Int64(position)] else { throw UnexpectedAnswer("Some events are missing.") }
    }
    try house.remove()
}
