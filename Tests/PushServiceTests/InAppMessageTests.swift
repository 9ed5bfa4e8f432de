import DeviceLink
import PushModel
import PushService
import Testing

@Suite("In-app messages over the SDK link", .timeLimit(.minutes(5)))
struct InAppMessageTests {
    private static let body = """
        {"platform":"ios","audience":"all","inapp_message":{"inapp_message":true},
        "notification":{"ios":{"alert":{"title":"T","body":"hello"},"extras":{"n":1}}}}
        """

    private func counts(_ result: PushResult, _ service: TestService) async throws -> MessageCounts {
        let all = try await service.core.reports.counts(of: [result.messageID], app: service.app.id)
        return try #require(all[result.messageID])
    }

    private func receipt(_ result: PushResult, _ event: SDKReceipt.Event) -> SDKReceipt {
        SDKReceipt(messageID: result.messageID.number, event: event, time: 0)
    }

    @Test("Go beside the notification, to the devices of its environment; journey and counters tell them apart")
    func road() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol("1")
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
            // Without a token, of the same environment: it has the in-app message alone.
            let (other, tokenless) = try await service.enrol("2")
            let result = try await service.push(Self.body)
            try await service.waitForSent(1)
            let message = try await link.hearMessage()
            #expect(message.isInApp)
            #expect((message.title, message.content, message.extras) == ("T", "hello", ["n": 1]))
            let second = try await other.hearMessage()
            #expect(second == message)

            let device = try await service.device(identity)
            let waiting = try await service.journey(result, device)
            #expect(waiting.inApp?.verdict.state == .stored)
            #expect(waiting.custom == nil)
            link.say(.acknowledge(position: message.position))
            _ = try await link.ask(.pushStatus)
            let kept = try await service.journey(result, device)
            #expect(kept.inApp?.verdict.state == .delivered)
            #expect(kept.inApp?.verdict.sentence.hasPrefix("the app has it: it shows it") == true)
            #expect(kept.verdict.state == .sent, "Of the notification nobody has told anything.")

            _ = try await link.ask(.receipts([receipt(result, .displayed)]))
            let shown = try await service.journey(result, device)
            #expect(shown.inApp?.events.map(\.kind) == [.accepted, .targeted, .delivered, .presented(.inApp)])
            #expect(shown.inApp?.verdict.sentence == "shown (within the app); not opened yet")
            for _ in 0..<2 { _ = try await link.ask(.receipts([receipt(result, .clicked)])) }
            let tapped = try await service.journey(result, device)
            #expect(tapped.inApp?.verdict.sentence == "shown within the app, and tapped by the user")
            #expect(JSONCoding.json(of: tapped).object?["inapp"]?.object?["verdict"]?.object?["state"] == "opened")

            let counts = try await counts(result, service)
            #expect((counts.target, counts.sent, counts.received, counts.clicked) == (1, 1, 0, 0))
            #expect((counts.custom.target, counts.custom.received) == (0, 0))
            #expect((counts.inApp.target, counts.inApp.received) == (2, 1))
            #expect((counts.inApp.displayed, counts.inApp.clicked) == (1, 1))
            let apart = try await service.journey(result, try await service.device(tokenless))
            #expect(apart.verdict.state == .suppressed)
        }
    }

    @Test("Wait for the app, and are taken back with the push")
    func durable() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            link.hangUp()
            let kept = try await service.push(Self.body)
            let lost = try await service.push(Self.body)
            _ = try await service.core.acceptor.withdraw(lost.messageID.description, of: service.app)
            let next = try await service.logIn(identity)
            let message = try await next.hearMessage()
            #expect((message.messageID, message.isInApp) == (kept.messageID.number, true))
            let answer = try await next.ask(.pushStatus)
            #expect(answer.code == 0, "Nothing else has come.")
            let gone = try await service.journey(lost, try await service.device(identity))
            #expect(gone.inApp?.verdict.state == .withdrawn)
        }
    }

    @Test("Come from a batch too, each to its device, beside a plain push of the same batch")
    func batch() async throws {
        try await TestService.run { service in
            let (one, first) = try await service.enrol("1")
            let (two, second) = try await service.enrol("2")
            for link in [one, two] {
                _ = try await link.ask(.token(DeviceToken(bytes: [link === one ? 1 : 2]), .production))
            }
            func entry(_ identity: Identity, _ alert: String, _ more: String) -> String {
                """
                "\(service.app.key.makeCID())":{"platform":"ios","target":"\(identity.registrationID)",\
                "notification":{"alert":"\(alert)"}\(more)}
                """
            }
            let entries = [
                entry(first, "a", ",\"inapp_message\":{\"inapp_message\":true}"), entry(second, "b", ""),
            ]
            let body = "{\"pushlist\":{\(entries.joined(separator: ","))}}"
            let batch = try PushBatch(parsing: Array(body.utf8), to: .registrationID)
            let results = try await service.core.acceptor.accept(batch, for: service.app).map { try $0.get() }
            try await service.waitForSent(2)
            let message = try await one.hearMessage()
            #expect((message.content, message.isInApp, message.messageID) == ("a", true, results[0].messageID.number))
            let answer = try await two.ask(.pushStatus)
            #expect(answer.code == 0, "Nothing else has come.")
        }
    }

    @Test("Do not come where the push has none, or a custom message, or is for the other environment")
    func none() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol()
            for inApp in ["", ",\"inapp_message\":{\"inapp_message\":false}", ",\"inapp_message\":{}"] {
                _ = try await service.push(
                    "{\"platform\":\"ios\",\"audience\":\"all\",\"notification\":{\"alert\":\"n\"}\(inApp)}"
                )
            }
            _ = try await service.push(
                Self.body.replacing("}}}}", with: "}}},\"options\":{\"apns_production\":false}}")
            )
            _ = try await service.push(
                """
                {"platform":"ios","audience":"all","notification":{"alert":"n"},"message":{"msg_content":"m"},
                "inapp_message":{"inapp_message":true}}
                """
            )
            let message = try await link.hearMessage()
            #expect((message.content, message.isInApp) == ("m", false))
        }
    }
}
