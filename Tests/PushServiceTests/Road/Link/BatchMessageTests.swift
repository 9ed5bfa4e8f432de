import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

// Custom messages that came together lie together: to whoever gets one, or asks for it, it is as if it had come alone.
@Suite("Custom messages in batches", .suiteLimit)
struct BatchMessageTests {
    /// A batch of messages, each with its number for a text.
    private func push(
        _ targets: [String],
        options: String = "",
        cids: [String]? = nil,
        to kind: TargetKind = .registrationID,
        in service: TestService
    ) async throws -> [Result<PushResult, JPushError>] {
        let cids = cids ?? targets.map { _ in service.app.key.makeCID() }
        let entries = zip(cids, targets).enumerated().map { number, entry in
            """
            "\(entry.0)":{"platform":"all","target":"\(entry.1)","message":{"msg_content":"\(number)","extras":{"n":\(number)}},\
            "options":{\(options)}}
            """
        }
        let body = "{\"pushlist\":{\(entries.joined(separator: ","))}}"
        let batch = try PushBatch(parsing: Array(body.utf8), to: kind)
        return try await service.core.acceptor.accept(batch, for: service.app)
    }

    @Test("Each device gets its own, in the order of the batches, with other messages between")
    func online() async throws {
        try await TestService.run { service in
            var links: [(link: TestLink, identity: Identity)] = []
            for number in 0..<20 { links.append(try await service.enrol("\(number)")) }
            let targets = links.map(\.identity.registrationID)
            for round in 0..<3 {
                let results = try await push(Array(targets.reversed()), in: service).map { try $0.get() }
                let all = try await service.push(messageBody("all \(round)"))
                for (place, (link, _)) in links.reversed().enumerated() {
                    let own = try await link.hearMessage()
                    let shared = try await link.hearMessage()
                    #expect(own.content == "\(place)")
                    #expect(own.extras == ["n": .integer(Int64(place))])
                    #expect(own.messageID == results[place].messageID.number)
                    #expect(shared.messageID == all.messageID.number)
                    #expect(own.position < shared.position)
                }
            }
            #expect(service.sender.sent.elements.isEmpty, "Nothing of it goes to APNs.")
        }
    }

    @Test("A late device finds the newest five, in whatever they came, those from before a restart included")
    func offline() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let kept = Recorder<Identity>()
            try await TestService.run(in: folder, clock: clock) { service in
                let (one, first) = try await service.enrol("1")
                let (two, second) = try await service.enrol("2")
                one.hangUp()
                two.hangUp()
                kept.add(first)
                for number in 0..<6 {
                    if number == 4 { _ = try await service.push(messageBody("all")) }
                    _ = try await push([second.registrationID, first.registrationID], in: service)
                }
                let link = try await service.logIn(second)
                var contents: [String] = []
                for _ in 0..<5 { contents.append(try await link.hearMessage().content) }
                #expect(contents == ["0", "0", "all", "0", "0"])
            }
            try await TestService.run(in: folder, clock: clock) { service in
                let identity = try #require(kept.elements.first)
                let link = try await service.logIn(identity)
                var messages: [SDKMessage] = []
                for _ in 0..<5 { messages.append(try await link.hearMessage()) }
                #expect(messages.map(\.content) == ["1", "1", "all", "1", "1"])
                #expect(messages.map(\.position) == messages.map(\.position).sorted())
                link.hangUp()
                let again = try await service.logIn(identity, position: messages[3].position)
                let last = try await again.hearMessage()
                #expect(last == messages[4])
                _ = try await push([identity.registrationID], in: service)
                let new = try await again.hearMessage()
                #expect(new.content == "0")
                #expect(new.position > last.position)
            }
        }
    }

    @Test("Each has its own journey and counters: received, waiting, passed over by newer ones, over, of nobody else")
    func told() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol("1")
            let (other, second) = try await service.enrol("2")
            other.hangUp()
            let targets = [identity.registrationID, second.registrationID]
            let results = try await push(targets, options: "\"time_to_live\":100", in: service).map { try $0.get() }
            let message = try await link.hearMessage()
            link.say(.acknowledge(position: message.position))
            let answer = try await link.ask(.pushStatus)
            #expect(answer.code == 0)
            let one = try await service.device(identity)
            let two = try await service.device(second)
            let received = try await service.journey(results[0], one)
            #expect(received.events.map(\.kind) == [.accepted, .targeted, .delivered])
            let stored = try await service.journey(results[1], two)
            #expect(stored.events.map(\.kind) == [.accepted, .targeted, .stored])
            let foreign = try await service.journey(results[0], two)
            #expect(foreign.verdict == .notInAudience)
            let ids = results.map(\.messageID)
            let counts = try await service.core.reports.counts(of: ids, app: service.app.id)
            #expect(ids.map { counts[$0]?.custom.target } == [1, 1])
            #expect(ids.map { counts[$0]?.custom.received } == [1, 0])
            #expect(ids.map { counts[$0]?.target } == [0, 0])
            let deliveries = try await service.store.receipts(
                of: ids[0],
                app: service.app.id,
                to: [one.id.ordinal, two.id.ordinal]
            )
            #expect(deliveries == [one.id.ordinal: .received])
            // The device tells of it, and of the other's, which is not its to tell of.
            let receipts = ids.map { SDKReceipt(messageID: $0.number, event: .clicked, time: 0) }
            let reply = try await link.ask(.receipts(receipts))
            #expect(reply.code == 0)
            let later = try await service.core.reports.counts(of: ids, app: service.app.id)
            #expect(ids.map { later[$0]?.custom.clicked } == [1, 0])
            #expect(ids.map { later[$0]?.custom.received } == [1, 0])
            for _ in 0..<5 { _ = try await push([second.registrationID], in: service) }
            let again = try await service.logIn(second)
            var messages: [SDKMessage] = []
            for _ in 0..<5 { messages.append(try await again.hearMessage()) }
            again.say(.acknowledge(position: messages[4].position))
            let settled = try await again.ask(.pushStatus)
            #expect(settled.code == 0)
            let passed = try await service.journey(results[1], two)
            #expect(passed.events.last?.kind == .coalesced)
            await service.clock.advance(by: .seconds(100))
            let over = try await service.journey(results[1], two)
            #expect(over.events.last?.kind == .expired)
        }
    }

    @Test("One that is withdrawn comes to nobody, and the others stay")
    func withdrawn() async throws {
        try await TestService.run { service in
            var identities: [Identity] = []
            for number in 0..<3 {
                let (link, identity) = try await service.enrol("\(number)")
                link.hangUp()
                identities.append(identity)
            }
            let results = try await push(identities.map(\.registrationID), in: service).map { try $0.get() }
            for _ in 0..<2 {
                let id = results[1].messageID.description
                try await service.core.acceptor.withdraw(id, of: service.app)
                await service.clock.advance(by: .seconds(1))
            }
            _ = try await service.push(messageBody("all"))
            for (place, expected) in [["0", "all"], ["all"], ["2", "all"]].enumerated() {
                let link = try await service.logIn(identities[place])
                for content in expected {
                    let message = try await link.hearMessage()
                    #expect(message.content == content)
                }
                let journey = try await service.journey(results[place], try await service.device(identities[place]))
                #expect((journey.events.last?.kind == .withdrawn) == (place == 1))
                if place == 1 { #expect(journey.events.count == 3) }
            }
        }
    }

    @Test("The second to a device comes behind the first; one that is repeated, stopped or of nobody says so")
    func odd() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol("1")
            let (off, second) = try await service.enrol("2")
            let answer = try await off.ask(.pushSwitch(false))
            #expect(answer.code == 0)
            let id = identity.registrationID
            let cids = (0..<4).map { _ in service.app.key.makeCID() }
            let targets = [id, id, second.registrationID, "1104a89793c00000000"]
            let results = try await push(targets, cids: cids, in: service)
            let messages = [try await link.hearMessage(), try await link.hearMessage()]
            #expect(messages.map(\.content) == ["0", "1"])
            #expect(messages[0].position < messages[1].position)
            let stopped = try await service.journey(try results[2].get(), try await service.device(second))
            #expect(stopped.verdict.sentence.contains("switched push off"))
            #expect(throws: JPushError.self) { try results[3].get() }
            let again = try await push([id, id], cids: [cids[0], service.app.key.makeCID()], in: service)
            #expect(try again[0].get() == results[0].get())
            let message = try await link.hearMessage()
            #expect(message.content == "1", "The repeat goes to nobody.")
            let reply = try await link.ask(.addTags(["t"]))
            #expect(reply.code == 0)
        }
    }

    @Test("Messages to aliases lie together too, beside notifications of the same request")
    func aliases() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol("phone")
            let bound = try await link.ask(.setAlias("bob"))
            #expect(bound.code == 0)
            _ = try await service.addDevice { $0.alias = "ann" }
            let cids = (0..<3).map { _ in service.app.key.makeCID() }
            let body = """
                {"pushlist":{"\(cids[0])":{"platform":"all","target":"ann","notification":{"alert":"n"}},
                "\(cids[1])":{"platform":"all","target":"bob","message":{"msg_content":"m"}},
                "\(cids[2])":{"platform":"all","target":"bob","message":{"msg_content":"b"},"notification":{"alert":"b"}}}}
                """
            let batch = try PushBatch(parsing: Array(body.utf8), to: .alias)
            let results = try await service.core.acceptor.accept(batch, for: service.app).map { try $0.get() }
            #expect(Set(results.map(\.messageID)).count == 3)
            let messages = [try await link.hearMessage(), try await link.hearMessage()]
            #expect(messages.map(\.content) == ["m", "b"])
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.count == 1)
        }
    }
}
