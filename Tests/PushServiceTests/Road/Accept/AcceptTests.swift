import Foundation
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import TestSupport
import Testing

@Suite("Accepting pushes", .suiteLimit)
struct AcceptTests {
    private func cid(_ app: App) -> String { "\(app.key)-\(UUID().uuidString.lowercased())" }

    @Test("Answers with sendno and msg_id, both as strings")
    func answer() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let result = try await service.push(pushBody(options: "\"sendno\":18"))
            #expect(result.json.text == "{\"sendno\":\"18\",\"msg_id\":\"\(result.messageID)\"}")
            #expect(try await service.push(pushBody()).sendno == 0)
            #expect((10...17).contains(result.messageID.description.count))
        }
    }

    @Test("A repeated cid gets the first answer and sends nothing, also after a restart")
    func firebase243_repeatGetsFirstAnswer() async throws {
        try await withTemporaryFolder { folder in
            let body = Recorder<String>()
            let first = Recorder<PushResult>()
            let sender = ScriptedSender()
            try await TestService.run(in: folder, clock: VirtualClock(), sender: sender) { service in
                try await service.addDevice()
                let text = pushBody(options: "\"sendno\":7", cid: cid(service.app))
                body.add(text)
                let result = try await service.push(text)
                first.add(result)
                try await service.waitForSent(1)
                #expect(try await service.push(text) == result)
                #expect(try await service.push(text.replacing("hi", with: "something else")) == result)
                #expect(service.sender.sent.elements.count == 1)
            }
            let clock = VirtualClock()
            await clock.advance(by: .seconds(86_400))
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                let text = try #require(body.elements.first)
                #expect(try await service.push(text) == first.elements.first)
                await service.clock.advance(by: .seconds(1))
                #expect(try await service.push(text) != first.elements.first, "A cid is known for a day.")
            }
        }
    }

    @Test("One of several concurrent pushes with one cid is kept, and all have its answer")
    func cidAtTheSameTime() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let text = pushBody(cid: cid(service.app))
            let results = try await withThrowingTaskGroup(of: PushResult.self) { group in
                for _ in 0..<50 { group.addTask { try await service.push(text) } }
                return try await group.reduce(into: Set<PushResult>()) { $0.insert($1) }
            }
            #expect(results.count == 1)
            try await service.waitForSent(1)
            try await service.core.journeyLog.flush()
            #expect(service.sender.sent.elements.count == 1)
        }
    }

    @Test("A cid that is not this app's key and a UUID is 1003")
    func foreignCID() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let key = service.app.key.text
            let uuid = UUID().uuidString
            let foreign = String(key.reversed())
            for cid in [
                "\(foreign)-\(uuid)", "\(key)", "\(key)-", "\(key)-x", "\(key)\(uuid)", uuid, "\(key)-\(uuid)0",
                "\(key)-\(uuid.dropLast())g", "\(key)-\(uuid.replacing("-", with: "0"))",
            ] {
                #expect(try await service.refusal(pushBody(cid: cid)).code == 1003, "\(cid)")
            }
            #expect(service.sender.sent.elements.isEmpty)
        }
    }

    @Test("A failed attempt does not use its cid up")
    func failedAttemptKeepsCID() async throws {
        try await TestService.run { service in
            let text = pushBody(cid: cid(service.app))
            #expect(try await service.refusal(text).code == 1011)
            try await service.addDevice()
            let result = try await service.push(text)
            #expect(try await service.push(text) == result)
        }
    }

    @Test("An audience that matches nobody is 1011, with a msg_id beside it")
    func nobody() async throws {
        try await TestService.run { service in
            try await service.addDevice { $0.tags = ["t"] }
            let android = "{\"platform\":[\"android\"],\"audience\":\"all\",\"notification\":{\"alert\":\"x\"}}"
            for body in [
                pushBody(audience: "{\"tag\":[\"nobody\"]}"), android, pushBody(audience: "{\"segment\":[\"s\"]}"),
                pushBody(audience: "{\"abtest\":[\"a\"]}"),
                pushBody(audience: "{\"tag\":[\"t\"],\"tag_not\":[\"t\"]}"),
                pushBody(audience: "{\"registration_id\":[\"0f\"]}"),
            ] {
                let error = try await service.refusal(body)
                #expect(error.code == 1011)
                #expect(error.message.hasPrefix("cannot find user by this audience"))
                #expect(error.messageID != nil)
                let namesGroup = body.contains("segment") || body.contains("abtest")
                #expect(error.message.contains("The app has no segment") == namesGroup)
            }
            #expect(service.sender.sent.elements.isEmpty)
        }
    }

    @Test("Validating gives the same answers, keeps nothing and sends nothing")
    func validate() async throws {
        try await TestService.run { service in
            let text = pushBody(options: "\"sendno\":3", cid: cid(service.app))
            func validate(_ text: String) async throws -> PushResult {
                try await service.core.acceptor.validate(
                    try PushRequest(parsing: Array(text.utf8)),
                    Array(text.utf8),
                    for: service.app
                )
            }
            #expect(await #expect(throws: JPushError.self) { try await validate(text) }?.code == 1011)
            #expect(await #expect(throws: JPushError.self) { try await validate("{}") }?.code == 1002)
            let device = try await service.addDevice()
            let checked = try await validate(text)
            #expect(checked.sendno == 3)
            let since = service.clock.date
            #expect(try await !service.store.knowsMessage(checked.messageID, app: service.app.id, since: since))
            #expect(try await service.store.nextDue() == nil)
            let pushed = try await service.push(text)
            #expect(pushed.messageID != checked.messageID, "The cid was not used up.")
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.count == 1)
            #expect(try await service.journey(pushed, device).verdict.state == .sent)
        }
    }

    @Test("Pushes that are kept together cost each other nothing: each has the answer it would have had alone")
    func keptTogether() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let id = service.core.registry.registrationID(of: device.id)
            let acceptor = service.core.acceptor
            // The first ids of a block are fetched from the store.
            _ = try await service.push(pushBody())
            func prepared(_ sendno: Int) throws -> PreparedPush {
                let audience = "{\"registration_id\":[\"\(id)\"]}"
                let body = pushBody(audience: audience, options: "\"sendno\":\(sendno)")
                return try #require(acceptor.prepareAtOnce(Array(body.utf8), for: service.app))
            }
            var pushes = try (1...5).map(prepared)
            // Of an app that is not there any more, by the time of the write.
            pushes[2].message.app = 999
            let prepared = pushes
            let results = await withCheckedContinuation { continuation in
                acceptor.write(prepared) { continuation.resume(returning: $0) }
            }
            #expect(results.map { try? $0.get().sendno } == [1, 2, nil, 4, 5])
            for (push, result) in zip(pushes, results) {
                let isKnown = try await service.store.knowsMessage(
                    push.message.id,
                    app: push.message.app,
                    since: push.message.acceptedAt
                )
                #expect(isKnown == ((try? result.get()) != nil))
            }
            try await service.waitForSent(5)
        }
    }

    @Test("Audiences that need the store, or walk through many devices, are not resolved at once")
    func notAtOnce() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let id = service.core.registry.registrationID(of: device.id)
            let one = "{\"registration_id\":[\"\(id)\"]}"
            let acceptor = service.core.acceptor
            func isTaken(_ body: String) -> Bool {
                acceptor.prepareAtOnce(Array(body.utf8), for: service.app) != nil
            }
            #expect(!isTaken(pushBody(audience: one)), "There are no message ids yet.")
            let first = try await service.push(pushBody(audience: one)).messageID
            #expect(isTaken(pushBody(audience: one)))
            #expect(!isTaken(pushBody()))
            #expect(!isTaken(pushBody(audience: "{\"tag\":[\"a\"]}")))
            #expect(!isTaken(pushBody(audience: "{\"registration_id\":[\"0f\"]}")), "Nobody is meant: 1011.")
            #expect(!isTaken(pushBody(audience: one, options: "\"override_msg_id\":\(first)")))
            #expect(!isTaken(pushBody(audience: one, options: "\"big_push_duration\":3")))
            #expect(!isTaken(pushBody(audience: one, cid: "foreign")))
            #expect(isTaken(pushBody(audience: one, cid: service.app.key.makeCID())))
            #expect(!isTaken("{"))
        }
    }

    @Test("override_msg_id must be a push of this app within a day")
    func overridden() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let first = try await service.push(pushBody()).messageID
            let other = try await service.addApp()
            try await service.addDevice(app: other)
            let body = pushBody(options: "\"override_msg_id\":\(first)")
            #expect(try await service.push(body).messageID > first)
            #expect(try await service.refusal(body, for: other).code == 1003)
            #expect(try await service.refusal(pushBody(options: "\"override_msg_id\":1")).code == 1003)
            try await service.waitForSent(2)
            await service.clock.advance(by: .seconds(86_401))
            #expect(try await service.refusal(body).code == 1003)
        }
    }

    @Test("At most 20 paced pushes are under way; the 21st is 1012 until one ends")
    func pacedLimit() async throws {
        try await TestService.run { service in
            try await service.addDevices(2)
            let paced = pushBody(options: "\"big_push_duration\":10")
            for _ in 0..<20 { _ = try await service.push(paced) }
            #expect(try await service.refusal(paced).code == 1012)
            let other = try await service.addApp()
            try await service.addDevice(app: other)
            _ = try await service.push(paced, for: other)
            _ = try await service.push(pushBody())
            // The first device at once, the second half-way.
            try await service.waitForSent(20 + 1 + 2)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(300))
            try await service.waitForSent(40 + 1 + 2)
            _ = try await service.push(paced)
        }
    }

    @Test("A paced push is spread evenly over its minutes")
    func pacing() async throws {
        try await TestService.run { service in
            try await service.addDevices(9)
            _ = try await service.push(pushBody(options: "\"big_push_duration\":3"))
            for minute in 1...3 {
                try await service.waitForSent(3 * minute)
                try await service.untilAsleepOrDone(minute == 3)
                #expect(service.sender.sent.elements.count == 3 * minute)
                await service.clock.advance(by: .seconds(59))
                #expect(service.sender.sent.elements.count == 3 * minute)
                await service.clock.advance(by: .seconds(1))
            }
            #expect(Set(service.sender.sent.elements.map(\.push.token)).count == 9)
        }
    }

    @Test("200 pushes at the same time are all on disk when they are answered, with distinct ids")
    func concurrentAccepts() async throws {
        let sender = ScriptedSender()
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let accepted = Recorder<MessageID>()
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                try await service.addDevice()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<200 {
                        group.addTask {
                            let result = try await service.push(pushBody(options: "\"sendno\":\(number + 1)"))
                            #expect(result.sendno == UInt32(number + 1))
                            accepted.add(result.messageID)
                            // What is answered can be read by anybody at once.
                            let other = try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
                            let known = try await other.knowsMessage(result.messageID, app: 1, since: clock.date)
                            #expect(known)
                        }
                    }
                    try await group.waitForAll()
                }
                try await service.waitForSent(200)
            }
            #expect(Set(accepted.elements).count == 200)
            #expect(Set(sender.sent.elements.map(\.push.id)).count == 200)
        }
    }
}
