import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("In-app messages over the SDK link", .suiteLimit)
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

    private static func push(_ alert: String, _ options: String = "") -> String {
        """
        {"platform":"ios","audience":"all","inapp_message":{"inapp_message":true},"notification":{"ios":{"alert":\(alert)}},\
        "options":{\(options)}}
        """
    }

    /// Expects that a link hears nothing but the answer to a question.
    private func hearsNothing(_ link: TestLink) async throws {
        let answer = try await link.ask(.pushStatus)
        #expect(answer.code == 0, "Nothing else has come.")
    }

    @Test("Have the values of each device in title and text, on the link and at the next login")
    func variables() async throws {
        try await TestService.run { service in
            let (ana, identity) = try await service.enrol("1")
            let (other, _) = try await service.enrol("2")
            _ = try await ana.ask(.attributes(["first_name": "Ana \"A\" {{city|x}}", "city": "Oslo"]))
            let alert = #"{"title":"{{city|Rome}}","body":"Hi {{{first_name|there}}}! {{|{}}"}"#
            _ = try await service.push(Self.push(alert))
            let first = try await ana.hearMessage()
            #expect((first.title, first.content) == ("Oslo", "Hi Ana \"A\" {{city|x}}! {"))
            let second = try await other.hearMessage()
            #expect((second.title, second.content) == ("Rome", "Hi there! {"))
            ana.hangUp()
            let next = try await service.logIn(identity)
            #expect(try await next.hearMessage() == first)
        }
    }

    @Test("Have the text of the device's language, on the link and at the next login")
    func languages() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol("1")
            let (other, _) = try await service.enrol("2")
            let device = try await service.device(identity)
            let changed = try await service.store.updateDevice(device.id, note: nil) { $0.language = "zh-HK" }
            service.core.registry.apply([try #require(changed)])
            let texts = #""x","x_localized":{"zh-Hant":{"title":"繁","body":"{{city|家}}"}}"#
            _ = try await service.push(Self.push(texts))
            let first = try await link.hearMessage()
            #expect((first.title, first.content) == ("繁", "家"))
            #expect(try await other.hearMessage().content == "x")
            link.hangUp()
            let next = try await service.logIn(identity)
            #expect(try await next.hearMessage() == first)
        }
    }

    @Test("Do not come to a device that has declined the topic, also if it logs in later")
    func declined() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol("1")
            let (other, _) = try await service.enrol("2")
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
            _ = try await link.ask(.topics(declined: ["offers"]))
            _ = try await service.push(Self.push("\"x\"", "\"x_topic\":\"offers\""))
            let message = try await other.hearMessage()
            #expect(message.content == "x")
            try await hearsNothing(link)
            link.hangUp()
            let again = try await service.logIn(identity)
            try await hearsNothing(again)
            _ = try await again.ask(.topics(declined: []))
            again.hangUp()
            let last = try await service.logIn(identity)
            let late = try await last.hearMessage()
            #expect(late.messageID == message.messageID)
        }
    }

    @Test("Obey the cap of a topic, whether the device has a token or not", arguments: [true, false])
    func capped(hasToken: Bool) async throws {
        try await TestService.run { service in
            let topics = #"{"topics":[{"name":"offers","cap":1}]}"#
            _ = try await service.core.appSettings.changeTopics(Array(topics.utf8), of: service.app)
            let (link, identity) = try await service.enrol()
            if hasToken { _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production)) }
            func push(_ text: String) async throws {
                _ = try await service.push(Self.push("\"\(text)\"", "\"x_topic\":\"offers\""))
            }
            try await push("a")
            let first = try await link.hearMessage()
            #expect(first.content == "a")
            if hasToken { try await service.waitForSent(1) }
            try await push("b")
            if hasToken { try await service.waitFor(1) { $0 == .suppressed(.topicCapped) } }
            try await hearsNothing(link)
            // It has not acknowledged the first one, which came in its time.
            link.hangUp()
            let next = try await service.logIn(identity)
            #expect(try await next.hearMessage() == first)
            try await hearsNothing(next)
            await service.clock.advance(by: .seconds(86_400))
            try await push("c")
            let later = try await next.hearMessage()
            #expect(later.content == "c")
        }
    }

    @Test("Do not come in the quiet hours of the push or the app, but for what is exempt from them")
    func quietHours() async throws {
        let night = try Date("2026-01-01T15:00:00Z", strategy: .iso8601)
        try await TestService.run(clock: VirtualClock(date: night)) { service in
            let (link, identity) = try await service.enrol()
            let hours = #"{"from":"22:00","to":"07:00"}"#
            let held = try await service.push(Self.push("\"a\"", "\"x_quiet_hours\":\(hours)"))
            let body = "{\"quiet_hours\":\(hours)}"
            _ = try await service.core.appSettings.change(Array(body.utf8), of: service.app)
            _ = try await service.push(Self.push("\"b\""))
            _ = try await service.push(Self.push("\"c\"", "\"x_quiet_hours\":false"))
            let message = try await link.hearMessage()
            #expect(message.content == "c")
            link.hangUp()
            await service.clock.advance(by: .seconds(9 * 3600))
            let morning = try await service.logIn(identity)
            let first = try await morning.hearMessage()
            #expect((first.content, first.messageID) == ("a", held.messageID.number))
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
