import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Audiences by what became of earlier pushes", .suiteLimit)
struct PastPushTests {
    /// Eight devices, of which the first six get a push. The first two open it, on devices of the next two it is delivered.
    private func earlier(_ service: TestService) async throws -> (push: PushResult, devices: [RegisteredDevice]) {
        var devices: [RegisteredDevice] = []
        for number in 0..<8 { devices.append(try await service.addDevice { $0.tags = number < 6 ? ["first"] : [] }) }
        let push = try await service.push(pushBody(audience: #"{"tag":["first"]}"#))
        try await service.waitForSent(6)
        try await eventually("the chunk is done") { try await service.store.nextDue() == nil }
        for number in 0..<4 {
            let bits: ReceiptBits = number < 2 ? [.received, .clicked] : .received
            try await service.store.record(
                [push.messageID: bits],
                inApp: [:],
                of: devices[number].id,
                at: service.clock.date
            )
        }
        return (push, devices)
    }

    private func devices(_ audience: String, _ service: TestService) async throws -> [DeviceOrdinal] {
        let body = Array(pushBody(audience: audience).utf8)
        let push = try await service.core.acceptor.prepare(
            try PushRequest(parsing: body),
            body,
            for: service.app,
            at: service.clock.date
        )
        return push.chunks.flatMap(\.ordinals.ordinals).sorted()
    }

    @Test("Got, not got, opened and not opened; alone, together, beside other keys and in a segment")
    func fates() async throws {
        try await TestService.run { service in
            let (push, _) = try await earlier(service)
            func past(_ fates: String...) -> String {
                let conditions = fates.map { #"{"msg_id":"\#(push.messageID)","was":"\#($0)"}"# }
                return #""x_pushes":["# + conditions.joined(separator: ",") + "]"
            }
            let table: [(audience: String, devices: [DeviceOrdinal])] = [
                (past("got"), [0, 1, 2, 3, 4, 5]), (past("not_got"), [6, 7]), (past("opened"), [0, 1]),
                (past("not_opened"), [2, 3, 4, 5]), (past("not_opened") + #","tag_not":["second"]"#, [2, 3, 4, 5]),
                (past("not_got") + #","tag":["first"]"#, []), (#""x_opened_nothing_for_days":7"#, [2, 3, 4, 5, 6, 7]),
                (past("got") + #","x_opened_nothing_for_days":7"#, [2, 3, 4, 5]),
                (past("got", "not_opened"), [2, 3, 4, 5]),
            ]
            for (audience, expected) in table {
                let audience = "{\(audience)}"
                let body = Array(#"{"audience":\#(audience)}"#.utf8)
                #expect(try await service.core.acceptor.count(body, for: service.app).devices == expected.count)
                if expected.isEmpty {
                    #expect(try await service.refusal(pushBody(audience: audience)).code == 1011)
                } else {
                    #expect(try await devices(audience, service) == expected, "\(audience)")
                }
                let rule = Array(#"{"audience":\#(audience)}"#.utf8)
                let segment = try await service.core.segments.set("s", rule, of: service.app.id)
                #expect(try await service.core.acceptor.counts(segment, of: service.app).devices == expected.count)
            }
            let named = past("opened") + #","alias":["nobody"]"#
            #expect(try await service.refusal(pushBody(audience: "{\(named)}")).code == 1011)
            // The push is too old to count.
            await service.clock.advance(by: .seconds(8 * 86_400))
            #expect(try await devices(#"{"x_opened_nothing_for_days":7}"#, service) == Array(0..<8))
        }
    }

    @Test("A push of another app, or one that is gone, is refused by name; a segment that asks for it has no counts")
    func gone() async throws {
        try await TestService.run { service in
            _ = try await earlier(service)
            let audience = #"{"x_pushes":[{"msg_id":"7","was":"opened"}]}"#
            let refusal = try await service.refusal(pushBody(audience: audience))
            #expect(refusal.code == 1003)
            #expect(refusal.message.contains("7, which is not a push of the app; pushes are kept for 31 days"))
            let segment = try await service.core.segments.set(
                "s",
                Array(#"{"audience":\#(audience)}"#.utf8),
                of: service.app.id
            )
            await #expect(throws: JPushError.self) {
                try await service.core.acceptor.counts(segment, of: service.app)
            }
            #expect(try await service.refusal(pushBody(audience: #"{"segment":["s"]}"#)).code == 1003)
            let longer = try await service.refusal(pushBody(audience: #"{"x_opened_nothing_for_days":32}"#))
            #expect(longer.message.contains("kept for 31 days"))
        }
    }

    @Test("A push of a batch and a custom message are known by device")
    func others() async throws {
        try await TestService.run { service in
            let (_, devices) = try await earlier(service)
            let body = #"{"platform":"all","audience":{"tag":["first"]},"message":{"msg_content":"m"}}"#
            let custom = try await service.push(body)
            try await service.store.record(
                [custom.messageID: .received],
                inApp: [:],
                of: devices[3].id,
                at: service.clock.date
            )
            func got(_ push: PushResult) async throws -> [DeviceOrdinal] {
                try await self.devices(#"{"x_pushes":[{"msg_id":"\#(push.messageID)","was":"got"}]}"#, service)
            }
            #expect(try await got(custom) == [3])
            let entries = devices[4...6].map { device in
                let cid = service.app.key.makeCID()
                return
                    #""\#(cid)":{"platform":"all","target":"\#(service.registrationID(device))","notification":{"alert":"hi"}}"#
            }
            let list = #"{"pushlist":{\#(entries.joined(separator: ","))}}"#
            let batch = try PushBatch(parsing: Array(list.utf8), to: .registrationID)
            let pushes = try await service.core.acceptor.accept(batch, for: service.app).map { try $0.get() }
            try await service.waitForSent(9)
            try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
            #expect(try await got(pushes[1]) == [5])
        }
    }
}

@Suite("Pushes that wait for what happens to others", .suiteLimit)
struct UnlessOpenedTests {
    @Test("Who has opened the earlier push before this one is sent does not get it, and no cap counts it")
    func unlessOpened() async throws {
        try await TestService.run { service in
            let cap = PushTopic(name: "news", cap: 1, period: .day, exemptsImmediate: false)
            try await service.store.setTopics([cap], of: service.app.id)
            let devices = try await service.addDevices(6)
            let first = try await service.push(pushBody())
            try await service.waitForSent(6)
            try await eventually("the chunk is done") { try await service.store.nextDue() == nil }
            for device in devices.prefix(2) {
                try await service.store.record(
                    [first.messageID: [.received, .clicked]],
                    inApp: [:],
                    of: device.id,
                    at: service.clock.date
                )
            }
            let options = #""x_unless_opened":\#(first.messageID),"x_topic":"news""#
            let second = try await service.push(pushBody(options: options))
            try await service.waitForSent(10)
            try await eventually("the chunk is done") { try await service.store.nextDue() == nil }
            for (place, device) in devices.enumerated() {
                let journey = try await service.journey(second, device)
                let isHeld = journey.events.contains { $0.kind == .suppressed(.openedBefore) }
                #expect(isHeld == (place < 2), "\(journey.events)")
            }
            // The cap of one push has room for the two that got none.
            _ = try await service.push(pushBody(options: #""x_topic":"news""#))
            try await service.waitForSent(12)
            let refusal = try await service.refusal(pushBody(options: #""x_unless_opened":7"#))
            #expect(refusal.code == 1003 && refusal.message.contains("7, which is not a push of the app"))
        }
    }

    @Test("x_spread gives each part of the audience its minute, and does not count as a paced push")
    func spread() async throws {
        try await TestService.run { service in
            try await service.addDevices(60)
            let body = Array(pushBody(options: #""x_spread":30"#).utf8)
            let push = try await service.core.acceptor.prepare(
                try PushRequest(parsing: body),
                body,
                for: service.app,
                at: service.clock.date
            )
            #expect(push.chunks.count == 30)
            #expect(!push.isPaced)
            let due = push.chunks.map { $0.dueAt.timeIntervalSince(push.message.acceptedAt) }
            #expect(due == (0..<30).map { Double($0) * 60 })
            #expect(try await service.refusal(pushBody(options: #""x_spread":1401"#)).code == 1003)
            for _ in 0...JPushLimits.pacedPushes { _ = try await service.push(pushBody(options: #""x_spread":30"#)) }
        }
    }
}
