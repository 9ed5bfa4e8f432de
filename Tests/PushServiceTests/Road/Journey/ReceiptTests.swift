import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Receipts of apps for pushes", .suiteLimit)
struct ReceiptTests {
    private func counts(_ result: PushResult, _ service: TestService) async throws -> MessageCounts {
        let all = try await service.core.reports.counts(of: [result.messageID], app: service.app.id)
        return try #require(all[result.messageID])
    }

    private func receipt(_ result: PushResult, _ event: SDKReceipt.Event) -> SDKReceipt {
        SDKReceipt(messageID: result.messageID.number, event: event, time: 0)
    }

    @Test("Receipts of a notification end its journey and count once, however often they come")
    func notification() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
            let result = try await service.push(messageBody("m", notification: "n"))
            try await service.waitForSent(1)
            let message = try await link.hearMessage()
            let device = try await service.device(identity)
            for _ in 0..<3 {
                let answer = try await link.ask(.receipts([receipt(result, .received)]))
                #expect(answer.code == 0)
            }
            let delivered = try await service.journey(result, device)
            #expect(delivered.verdict.state == .delivered)
            #expect(delivered.custom?.verdict.state == .stored, "Nobody has acknowledged it.")
            _ = try await link.ask(.receipts([receipt(result, .opened), receipt(result, .opened)]))
            link.say(.acknowledge(position: message.position))
            _ = try await link.ask(.pushStatus)
            let opened = try await service.journey(result, device)
            #expect(opened.verdict.state == .opened)
            #expect(opened.events.map(\.kind) == [.accepted, .targeted, .sent, .delivered, .opened])
            #expect(opened.custom?.verdict.state == .delivered)
            #expect(JSONCoding.json(of: opened).object?["message"]?.object?["verdict"]?.object?["state"] == "delivered")
            let counts = try await counts(result, service)
            #expect((counts.target, counts.sent, counts.received, counts.clicked) == (1, 1, 1, 1))
            #expect((counts.custom.target, counts.custom.received, counts.custom.clicked) == (1, 1, 0))
        }
    }

    @Test("Receipts of a push that has a custom message alone count for that")
    func customMessage() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            _ = try await service.addDevices(3)
            let result = try await service.push(messageBody("m"))
            _ = try await link.hearMessage()
            _ = try await link.ask(.receipts([receipt(result, .displayed), receipt(result, .clicked)]))
            let counts = try await counts(result, service)
            #expect((counts.target, counts.received) == (0, 0))
            #expect((counts.custom.target, counts.custom.received) == (4, 1))
            #expect((counts.custom.displayed, counts.custom.clicked) == (1, 1))
            let device = try await service.device(identity)
            let journey = try await service.journey(result, device)
            #expect(journey.verdict.state == .opened)
            #expect(journey.apnsID == nil)
        }
    }

    @Test("A receipt of a push that did not go to the device, or that nobody knows, is answered and changes nothing")
    func strangers() async throws {
        try await TestService.run { service in
            let (one, first) = try await service.enrol("1")
            let (two, _) = try await service.enrol("2")
            let result = try await service.push(
                messageBody("m", audience: "{\"registration_id\":[\"\(first.registrationID)\"]}")
            )
            _ = try await one.hearMessage()
            let unknown = SDKReceipt(messageID: 5, event: .received, time: 0)
            let answer = try await two.ask(.receipts([receipt(result, .received), unknown]))
            #expect(answer.code == 0)
            let counts = try await counts(result, service)
            #expect(counts.custom.received == 0)
            let tooMany = try await two.ask(.receipts([SDKReceipt](repeating: unknown, count: 1001)))
            #expect(tooMany.code == 6017)
        }
    }

    @Test("Receipts survive a restart")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let pushed = Recorder<(PushResult, RegisteredDevice)>()
            try await TestService.run(in: folder, clock: clock) { service in
                let (link, identity) = try await service.enrol()
                _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
                let result = try await service.push(pushBody())
                try await service.waitForSent(1)
                _ = try await link.ask(.receipts([receipt(result, .opened)]))
                pushed.add((result, try await service.device(identity)))
            }
            try await TestService.run(in: folder, clock: clock) { service in
                let (result, device) = try #require(pushed.elements.first)
                let journey = try await service.journey(result, device)
                #expect(journey.verdict.state == .opened)
            }
        }
    }

    @Test("A custom message that waits, is passed over, expires or is withdrawn says so")
    func verdicts() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            let device = try await service.device(identity)
            link.hangUp()
            var results: [PushResult] = []
            for number in 0..<6 { results.append(try await service.push(messageBody("\(number)"))) }
            let withdrawn = try await service.push(messageBody("w"))
            try await service.core.acceptor.withdraw(withdrawn.messageID.description, of: service.app)
            let atOnce = try await service.push(messageBody("z", options: "\"time_to_live\":0"))
            func state(_ result: PushResult) async throws -> Verdict.State {
                try await service.journey(result, device).verdict.state
            }
            var states = [try await state(results[0]), try await state(withdrawn), try await state(atOnce)]
            #expect(states == [.stored, .withdrawn, .expired])
            let second = try await service.logIn(identity)
            var last: Int64 = 0
            for _ in 0..<5 { last = try await second.hearMessage().position }
            states = [try await state(results[0]), try await state(results[1])]
            #expect(states == [.coalesced, .stored])
            second.say(.acknowledge(position: last - 1))
            _ = try await second.ask(.pushStatus)
            states = [try await state(results[1]), try await state(results[5])]
            #expect(states == [.delivered, .stored])
            let sentence = try await service.journey(results[1], device).verdict.sentence
            #expect(sentence.contains("acknowledged the custom message"))
            await service.clock.advance(by: .seconds(86_400))
            states = [try await state(results[1]), try await state(results[5])]
            #expect(states == [.delivered, .expired])
        }
    }

    @Test("How a custom message stands with a device is what the report on it says")
    func status() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            let (_, other) = try await service.enrol("other")
            let result = try await service.push(messageBody("m"))
            let message = try await link.hearMessage()
            link.say(.acknowledge(position: message.position))
            _ = try await link.ask(.pushStatus)
            let body = """
                {"msg_id":\(result.messageID),"registration_ids":["\(identity.registrationID)","\(other.registrationID)"]}
                """
            let query = try MessageStatusQuery(parsing: Array(body.utf8))
            let found = try await service.core.reports.status(of: query, app: service.app.id)
            #expect(found.map(\.status) == [.delivered, .notDelivered])
        }
    }
}
