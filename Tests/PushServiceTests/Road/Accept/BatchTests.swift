import Foundation
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import TestSupport
import Testing

@Suite("Batches of pushes", .suiteLimit)
struct BatchTests {
    /// A batch of entries by cid.
    private func body(_ entries: [(cid: String, target: String, options: String)], alert: String = "hi") -> String {
        let list = entries.map { entry in
            """
            "\(entry.cid)":{"platform":"all","target":"\(entry.target)","notification":{"alert":"\(alert)"},\
            "options":{\(entry.options)}}
            """
        }
        return "{\"pushlist\":{\(list.joined(separator: ","))}}"
    }

    private func accept(
        _ body: String,
        to kind: TargetKind = .registrationID,
        in service: TestService
    ) async throws -> [Result<PushResult, JPushError>] {
        let batch = try PushBatch(parsing: Array(body.utf8), to: kind)
        return try await service.core.acceptor.accept(batch, for: service.app)
    }

    @Test("Each device gets its own push, on disk when the batch is answered")
    func registrationIDs() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(500)
            let entries = devices.enumerated().map { place, device in
                (service.app.key.makeCID(), service.registrationID(device).text, "\"sendno\":\(place + 1)")
            }
            let results = try await accept(body(entries), in: service).map { try $0.get() }
            #expect(results.map(\.sendno) == (1...500).map { UInt32($0) })
            #expect(Set(results.map(\.messageID)).count == 500)
            // What is answered can be read by anybody at once.
            let other = try SQLiteStore(path: service.folder.appending(path: "posthorn.sqlite").path)
            for place in [0, 499] {
                let id = results[place].messageID
                #expect(try await other.knowsMessage(id, app: service.app.id, since: service.clock.date))
            }
            try await service.waitForSent(500)
            #expect(Set(service.sender.sent.elements.map(\.push.token)).count == 500)
            for place in [0, 250, 499] {
                let journey = try await service.journey(results[place], devices[place])
                #expect(journey.verdict.state == .sent)
                let other = try await service.journey(results[place], devices[(place + 1) % 500])
                #expect(other.verdict == .notInAudience)
            }
        }
    }

    @Test("An alias reaches all its devices; each is explained")
    func aliases() async throws {
        try await TestService.run { service in
            let both = try await service.addDevices(2) { $0.alias = "family" }
            let other = try await service.addDevice(environment: .development) { $0.alias = "family" }
            let entries = [(service.app.key.makeCID(), "family", ""), (service.app.key.makeCID(), "nobody", "")]
            let results = try await accept(body(entries), to: .alias, in: service)
            let push = try results[0].get()
            try await service.waitForSent(2)
            for device in both { #expect(try await service.journey(push, device).verdict.state == .sent) }
            #expect(try await service.journey(push, other).verdict.sentence.contains("must agree"))
            let error = #expect(throws: JPushError.self) { try results[1].get() }
            #expect(error?.code == 1011)
            #expect(error?.messageID == MessageID(push.messageID.number + 1))
        }
    }

    @Test("One that is wrong takes no other with it")
    func mixed() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let stranger = try await service.addApp()
            let foreign = try await service.addDevice(app: stranger)
            let id = service.registrationID(device).text
            let entries = [
                (service.app.key.makeCID(), id, ""), (stranger.key.makeCID(), id, ""), ("x", id, ""),
                (service.app.key.makeCID(), "0f", ""),
                (service.app.key.makeCID(), service.registrationID(foreign).text, ""),
                (service.app.key.makeCID(), id, "\"override_msg_id\":1"),
                (service.app.key.makeCID(), id, "\"apns_production\":false"),
            ]
            let results = try await accept(body(entries), in: service)
            func code(_ place: Int) -> Int? {
                guard case .failure(let error) = results[place] else { return nil }
                return error.code
            }
            #expect((0..<7).map(code) == [nil, 1003, 1003, 1011, 1011, 1003, nil])
            try await service.waitForSent(1)
            #expect(try await service.journey(results[0].get(), device).verdict.state == .sent)
            #expect(try await service.journey(results[6].get(), device).verdict.state == .suppressed)
        }
    }

    @Test("A repeat has the first answers and sends nothing, also when the target is gone or the cid was a push's")
    func firebase243_repeatGetsFirstAnswer() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice { $0.alias = "bob" }
            let single = service.app.key.makeCID()
            let first = try await service.push(pushBody(cid: single))
            let entries = [(service.app.key.makeCID(), "bob", "\"sendno\":3"), (single, "bob", "")]
            let results = try await accept(body(entries), to: .alias, in: service).map { try $0.get() }
            #expect(results[1] == first)
            try await service.waitForSent(2)
            let text = body(entries, alert: "something else")
            #expect(try await accept(text, to: .alias, in: service).map { try $0.get() } == results)
            // Nobody has the alias any more.
            let changed = try await service.store.updateDevices(
                [device.id.ordinal],
                of: service.app.id,
                keepingTags: []
            ) {
                $0.alias = nil
            }
            service.core.registry.apply(changed)
            #expect(try await accept(text, to: .alias, in: service).map { try $0.get() } == results)
            #expect(try await service.push(pushBody(cid: entries[0].0)) == results[0])
            #expect(service.sender.sent.elements.count == 2)
            await service.clock.advance(by: .seconds(86_401))
            let late = try await accept(text, to: .alias, in: service)
            #expect(throws: JPushError.self) { try late[0].get() }
        }
    }

    @Test("Batches with the same cids at the same time send each once")
    func atTheSameTime() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(20)
            let text = body(devices.map { (service.app.key.makeCID(), service.registrationID($0).text, "") })
            let answers = try await withThrowingTaskGroup(of: [PushResult].self) { group in
                for _ in 0..<10 {
                    group.addTask { try await accept(text, in: service).map { try $0.get() } }
                }
                return try await group.reduce(into: Set<[PushResult]>()) { $0.insert($1) }
            }
            #expect(answers.count == 1)
            try await service.waitForSent(20)
            try await service.core.journeyLog.flush()
            #expect(service.sender.sent.elements.count == 20)
        }
    }

    @Test("At most 20 paced pushes are under way, those of the batch counted")
    func paced() async throws {
        try await TestService.run { service in
            // Two devices: the second half of each push is still to come.
            try await service.addDevices(2) { $0.alias = "bob" }
            for _ in 0..<15 { _ = try await service.push(pushBody(options: "\"big_push_duration\":10")) }
            let entries = (0..<8).map { _ in (service.app.key.makeCID(), "bob", "\"big_push_duration\":10") }
            let results = try await accept(body(entries), to: .alias, in: service)
            let codes = results.map { result in
                if case .failure(let error) = result { error.code } else { 0 }
            }
            #expect(codes == [0, 0, 0, 0, 0, 1012, 1012, 1012])
        }
    }

    @Test("A platform without devices here, and a device that is gone, are nobody")
    func nobody() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let id = service.registrationID(device).text
            let android = body([(service.app.key.makeCID(), id, "")]).replacing("\"all\"", with: "[\"android\"]")
            let results = try await accept(android, in: service)
            #expect(throws: JPushError.self) { try results[0].get() }
            await service.clock.advance(by: .seconds(256 * 86_400))
            let gone = try await accept(body([(service.app.key.makeCID(), id, "")]), in: service)
            let error = #expect(throws: JPushError.self) { try gone[0].get() }
            #expect(error?.code == 1011)
        }
    }
}
