import Crypto
import DeviceLink
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import PushService

/// Acts as the callback addresses: keeps what is posted and answers as it is told.
final class ScriptedReceiver: CallbackSender {
    struct Call: Sendable {
        var body: [UInt8]
        var fields: [String: String]
        var url: String

        var json: JSONObject { (try? JSONValue(parsing: body))?.object ?? [:] }
        var events: [JSONObject] { (json["events"]?.array ?? []).compactMap(\.object) }
    }

    let calls = Recorder<Call>()
    private let failure = Mutex<CallbackFailure?>(nil)
    /// The receiver that fails; nil for all of them.
    private let host: String?

    init(failingAt host: String? = nil) { self.host = host }

    func answer(_ failure: CallbackFailure?) { self.failure.withLock { $0 = failure } }

    func post(_ body: [UInt8], fields: [(name: String, value: String)], to url: String) async throws(CallbackFailure) {
        let failure = host.map(url.hasPrefix) ?? true ? failure.withLock { $0 } : nil
        calls.add(Call(body: body, fields: Dictionary(fields.map { ($0.name, $0.value) }) { $1 }, url: url))
        if let failure { throw failure }
    }

    /// Returns type, part and registration id of each event so far.
    var said: [String] {
        calls.elements.flatMap(\.events).map { event in
            let type = event["type"]?.integer.map(String.init) ?? "?"
            return "\(type) \(event["part"]?.string ?? "?") \(event["registration_id"]?.string ?? "?")"
        }.sorted()
    }
}

/// Tests that a push's callback address hears of its events.
@Suite("Callbacks", .suiteLimit)
struct CallbackTests {
    private static func body(type: Int = 15, notification: String = #"{"alert":"hi"}"#, more: String = "") -> String {
        """
        {"platform":"all","audience":"all","notification":\(notification),
        "callback":{"url":"https://example.com/hook","params":{"order":7},"type":\(type)}\(more)}
        """
    }

    private func run(
        in folder: URL? = nil,
        _ receiver: ScriptedReceiver,
        clock: VirtualClock = VirtualClock(),
        sender: ScriptedSender = ScriptedSender(),
        _ body: (TestService) async throws -> Void
    ) async throws {
        func run(in folder: URL) async throws {
            try await TestService.run(in: folder, clock: clock, sender: sender, callbacks: receiver, body)
        }
        if let folder { try await run(in: folder) } else { try await withTemporaryFolder { try await run(in: $0) } }
    }

    private func state(_ result: PushResult, in service: TestService) async throws -> CallbackState {
        try #require(try await service.store.callbackState(of: result.messageID))
    }

    private func report(
        _ kind: JourneyEvent.Kind,
        _ result: PushResult,
        _ device: RegisteredDevice,
        _ service: TestService
    ) async throws {
        let id = try #require(try await service.journey(result, device).apnsID)
        let event = JourneyEvent(date: service.clock.date, station: .device, kind: kind)
        service.core.journeyLog.record(event, of: .push(apnsID: id))
        try await service.core.journeyLog.flush()
    }

    /// Reads the stream of the app: the kind, part and device of each event, from a position on.
    private func events(
        of service: TestService,
        after position: Int64 = 0
    ) async throws -> (said: [String], next: Int64) {
        var said = [String]()
        var next = position
        while true {
            let page = try await service.core.events.page(of: service.app, after: next, limit: 2)
            #expect(page.fields.map(\.name) == ["X-Posthorn-Timestamp", "X-Posthorn-Signature"])
            let json = try JSONValue(parsing: page.body)
            let events = json.object?["events"]?.array ?? []
            guard !events.isEmpty else { return (said, next) }
            said += events.compactMap(\.object).map { event in
                ["type", "part", "registration_id"].compactMap { event[$0]?.string }.joined(separator: " ")
            }
            next = try #require(json.object?["next"]?.jpushInteger)
        }
    }

    @Test("The app's stream has what happened once, in order, over a restart")
    func stream() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let sender = ScriptedSender()
            func run(_ body: (TestService) async throws -> Void) async throws {
                try await TestService.run(
                    in: folder,
                    clock: clock,
                    sender: sender,
                    settings: { $0.retention.events = 1 },
                    body
                )
            }
            var read: Int64 = 0
            try await run { service in
                let device = try await service.addDevices(1)[0]
                let result = try await service.push(pushBody())
                try await service.waitForSent(1)
                try await eventually("the checkpoint is written") {
                    try await events(of: service).said.count == 2
                }
                let name = service.registrationID(device).text
                let found = try await events(of: service)
                #expect(found.said == ["accepted", "sent notification \(name)"])
                read = found.next
                for _ in 0..<2 {
                    try await report(.delivered, result, device, service)
                    try await report(.opened, result, device, service)
                }
            }
            try await run { service in
                let device = DeviceID(app: service.app.id, ordinal: 0)
                for _ in 0..<2 {
                    let reply = try await service.core.registrations.carryOut(.topics(declined: ["news"]), for: device)
                    #expect(reply.topics == ["news": true])
                }
                // A question is no event.
                _ = try await service.core.registrations.carryOut(.topics(declined: nil), for: device)
                try await service.core.registrations.unregister(device)
                let name = service.core.registry.name(of: device).text
                let found = try await events(of: service, after: read)
                #expect(
                    found.said
                        == [
                            "received notification \(name)", "opened notification \(name)", "declined \(name)",
                            "unregistered \(name)",
                        ]
                )
                #expect(try await events(of: service).said.count == 6)
                #expect(try await events(of: service, after: found.next).said.isEmpty)
            }
        }
    }

    @Test("APNs's answer, a device without a token, a delivery and a tap are told, each once, with the sender's data")
    func events() async throws {
        let receiver = ScriptedReceiver()
        try await run(receiver) { service in
            let devices = try await service.addDevices(1)
            let bare = try await service.addDevice { $0.token = nil }
            let result = try await service.push(Self.body())
            try await service.waitForSent(1)
            for _ in 0..<2 {
                try await report(.delivered, result, devices[0], service)
                try await report(.opened, result, devices[0], service)
            }
            let first = service.registrationID(devices[0]).text
            let second = service.registrationID(bare).text
            let expected = [
                "1 notification \(first)", "2 notification \(first)", "4 notification \(second)",
                "8 notification \(first)",
            ]
            try await eventually("all four events are posted") { receiver.said.count >= 4 }
            #expect(receiver.said == expected)
            let call = try #require(receiver.calls.elements.first)
            #expect(call.url == "https://example.com/hook")
            #expect(call.json["app_key"] == .string(service.app.key.text))
            #expect(call.json["msg_id"] == .string(result.messageID.description))
            #expect(call.json["params"] == ["order": 7])
            let now = Int64(service.clock.date.timeIntervalSince1970 * 1000)
            #expect(call.events.allSatisfy { $0["time"]?.integer == now })
            try await eventually("they count as delivered") { try await state(result, in: service).delivered == 4 }
            #expect(
                try await state(result, in: service)
                    == CallbackState(url: call.url, delivered: 4, waiting: 0, lost: 0, problem: nil)
            )
        }
    }

    @Test("Only the asked events are told; a refusal by APNs is 'not delivered'")
    func chosen() async throws {
        let receiver = ScriptedReceiver()
        try await run(receiver) { service in
            let devices = try await service.addDevices(2)
            let token = devices[0].token
            service.sender.answer { push in
                push.token == token ? SendOutcome(.refused(.unregistered, unregisteredAt: nil)) : SendOutcome(.sent)
            }
            let result = try await service.push(Self.body(type: 4))
            try await eventually("the refusal is posted") { receiver.said.count == 1 }
            #expect(receiver.said == ["4 notification \(service.registrationID(devices[0]))"])
            try await report(.delivered, result, devices[1], service)
            #expect(try await state(result, in: service).waiting == 0)
        }
    }

    @Test("A receiver can verify the signature with the app's master secret")
    func signature() async throws {
        let receiver = ScriptedReceiver()
        try await run(receiver) { service in
            try await service.addDevice()
            _ = try await service.push(Self.body(type: 8))
            let call = try #require(try await receiver.calls.wait(for: 1).first)
            let timestamp = try #require(call.fields["X-Posthorn-Timestamp"])
            #expect(timestamp == "\(Int64(service.clock.date.timeIntervalSince1970))")
            // The key is the SHA-256 of the master secret, which is all that the service keeps of it.
            let key = SymmetricKey(data: service.app.secretHash.bytes)
            let code = HMAC<SHA256>.authenticationCode(for: Array("\(timestamp).".utf8) + call.body, using: key)
            let digits = code.map { String(format: "%02x", $0) }.joined()
            #expect(call.fields["X-Posthorn-Signature"] == "v1=\(digits)")
        }
    }

    @Test("While two secrets are valid a callback is signed with both, afterwards with the new one alone")
    func formerSignature() async throws {
        let receiver = ScriptedReceiver()
        try await run(receiver) { service in
            try await service.addDevice()
            let now = service.clock.date
            var app = service.app
            try app.replaceSecret(by: SecretReplacement(hash: SecretHash(of: "new"), at: now, formerEnd: now + 60))
            func signatures() -> [String: String] {
                let fields = CallbackRequest.signature(of: [1], app, at: service.clock.date)
                return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
            }
            let before = CallbackRequest.signature(of: [1], service.app, at: service.clock.date)
            #expect(signatures()["X-Posthorn-Signature-Former"] == before.last?.value)
            #expect(signatures()["X-Posthorn-Signature"] != before.last?.value)
            await service.clock.advance(by: .seconds(60))
            #expect(signatures().keys.sorted() == ["X-Posthorn-Signature", "X-Posthorn-Timestamp"])
        }
    }

    @Test("A VoIP push beside a notification is told under the same msg_id, as a part of its own")
    func voip() async throws {
        let receiver = ScriptedReceiver()
        try await run(receiver) { service in
            let device = try await service.addDevice()
            let token = ChannelToken(channel: .voip, name: "", token: DeviceToken(bytes: [1]), environment: .production)
            try await service.store.setChannelToken(token, of: device.id, limit: 1, at: service.clock.date)
            let result = try await service.push(Self.body(type: 8, notification: #"{"alert":"hi","voip":{"a":1}}"#))
            try await eventually("both are posted") { receiver.said.count == 2 }
            let id = service.registrationID(device)
            #expect(receiver.said == ["8 notification \(id)", "8 voip \(id)"])
            let ids = Set(receiver.calls.elements.map { $0.json["msg_id"]?.string })
            #expect(ids == [result.messageID.description])
        }
    }

    @Test("A failed delivery is repeated with growing pauses, and given up after eight; the record says why")
    func retries() async throws {
        let receiver = ScriptedReceiver()
        receiver.answer(CallbackFailure("It answered 503."))
        try await run(receiver) { service in
            try await service.addDevice()
            let result = try await service.push(Self.body(type: 8))
            for attempt in 1...CallbackRunner.attempts {
                try await receiver.calls.wait(for: attempt)
                guard attempt < CallbackRunner.attempts else { break }
                try await eventually("the failure is on disk") {
                    try await service.store.nextCallbackDue(besides: [])
                        == service.clock.date.addingTimeInterval(CallbackRunner.pause(after: attempt))
                }
                #expect(try await state(result, in: service).problem == "It answered 503.")
                try await service.untilAsleep()
                await service.clock.advance(by: .seconds(CallbackRunner.pause(after: attempt)))
            }
            try await eventually("the events are given up") { try await state(result, in: service).lost == 1 }
            #expect(try await state(result, in: service).waiting == 0)
            #expect(receiver.calls.elements.count == CallbackRunner.attempts)
            #expect(CallbackRunner.pause(after: 1) == 10 && CallbackRunner.pause(after: 7) == 3600)
        }
    }

    @Test("Events that come while an address is down wait for its next attempt, and arrive together")
    func together() async throws {
        let receiver = ScriptedReceiver()
        receiver.answer(CallbackFailure("It answered 500."))
        try await run(receiver) { service in
            let device = try await service.addDevice()
            let result = try await service.push(Self.body())
            try await receiver.calls.wait(for: 1)
            try await eventually("the failure is on disk") { try await state(result, in: service).problem != nil }
            receiver.answer(nil)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(10))
            try await eventually("it is delivered") { try await state(result, in: service).delivered == 1 }
            try await report(.delivered, result, device, service)
            try await eventually("the report is posted") { try await state(result, in: service).delivered == 2 }
        }
    }

    @Test("An address that must not be called is not called again")
    func final() async throws {
        let receiver = ScriptedReceiver()
        receiver.answer(CallbackFailure("'localhost' is at 127.0.0.1.", isFinal: true))
        try await run(receiver) { service in
            try await service.addDevice()
            let result = try await service.push(Self.body(type: 8))
            try await eventually("the event is given up") { try await state(result, in: service).lost == 1 }
            #expect(receiver.calls.elements.count == 1)
            #expect(try await state(result, in: service).problem == "'localhost' is at 127.0.0.1.")
        }
    }

    @Test("Events recorded before a crash are reported after it")
    func crash() async throws {
        try await withTemporaryFolder { folder in
            let left = folder.appending(path: "left")
            let clock = VirtualClock()
            let down = ScriptedReceiver()
            down.answer(CallbackFailure("It is down."))
            try await run(in: folder, down, clock: clock) { service in
                try await service.addDevice()
                _ = try await service.push(Self.body(type: 8))
                try await service.waitForSent(1)
                try copyStore(folder, to: left)
            }
            let receiver = ScriptedReceiver()
            try await run(in: left, receiver, clock: clock) { service in
                await service.clock.advance(by: .seconds(120))
                let call = try #require(try await receiver.calls.wait(for: 1).first)
                #expect(call.events.map { $0["type"] } == [8])
            }
        }
    }

    @Test("In a batch and after its time to live a push is told too; a deleted push leaves nothing behind")
    func batchAndExpiry() async throws {
        let receiver = ScriptedReceiver()
        try await run(receiver) { service in
            let device = try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.undecided("503", after: nil)) }
            let entry = """
                "\(service.app.key.text)-0f9b3a52-1c1e-4b6f-9a52-4d6a8f3f8a11":{"platform":"all",
                "target":"\(service.registrationID(device))","notification":{"alert":"x"},"options":{"time_to_live":5},
                "callback":{"url":"https://example.com/b"}}
                """
            let batch = try PushBatch(parsing: Array("{\"pushlist\":{\(entry)}}".utf8), to: .registrationID)
            let result = try await service.core.acceptor.accept(batch, for: service.app)[0].get()
            try await service.waitFor(1) { if case .retried = $0 { true } else { false } }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(60))
            try await eventually("the end is posted") { receiver.said.count == 1 }
            #expect(receiver.said == ["4 notification \(service.registrationID(device))"])
            #expect(receiver.calls.elements.first?.url == "https://example.com/b")
            while try await !service.store.deleteMessage(result.messageID, rows: 100) {}
            #expect(try service.rows(in: "callback") == 0 && service.rows(in: "callbackEvent") == 0)
        }
    }

    @Test("A validated push calls nobody; a scheduled one does when it is sent")
    func validatedAndScheduled() async throws {
        let receiver = ScriptedReceiver()
        try await run(receiver) { service in
            try await service.addDevice()
            _ = try await service.core.acceptor.validate(
                try PushRequest(parsing: Array(Self.body().utf8)),
                Array(Self.body().utf8),
                for: service.app
            )
            #expect(try service.rows(in: "callback") == 0)
            let schedule = """
                {"name":"s","enabled":true,"trigger":{"single":{"time":"2026-01-01 16:30:00"}},"push":\(Self.body(type: 8))}
                """
            _ = try await service.core.schedules.create(Array(schedule.utf8), for: service.app)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(1800))
            try await receiver.calls.wait(for: 1)
            #expect(service.sender.sent.elements.count == 1)
        }
    }
}
