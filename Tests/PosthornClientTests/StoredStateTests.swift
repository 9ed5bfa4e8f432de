import Foundation
import TestSupport
import Testing

@testable import PosthornClient

@Suite("The client's store")
struct StoredStateTests {
    @Test("Files keep values, say which there are, and remove them")
    func files() throws { try withTemporaryFolder(check) }

    private func check(_ parent: URL) throws {
        let folder = parent.appendingPathComponent("posthorn")
        let store = FileStateStore(folder: folder)
        #expect(try store.data(for: "state") == nil)
        #expect(try store.keys() == [])
        try set("one", for: "state", in: store)
        try set("two", for: "state", in: store)
        try set("r", for: "receipt-1-received", in: store)
        #expect(try store.data(for: "state") == Data("two".utf8))
        #expect(try store.keys() == ["receipt-1-received", "state"])
        try set(nil, for: "state", in: store)
        try set(nil, for: "state", in: store)
        #expect(try store.keys() == ["receipt-1-received"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(mode[.posixPermissions] as? Int == 0o700)
    }

    private func set(_ text: String?, for key: String, in store: FileStateStore) throws {
        let result = Guarded<Result<Void, any Error>?>(nil)
        store.set(text.map { Data($0.utf8) }, for: key) { given in result.with { $0 = given } }
        try #require(result.with { $0 }, "A file is written within the call.").get()
    }

    @Test("The state of another version is read: the identity outlives an update of the app")
    func versions() throws {
        let text = """
            {"installation":"one","appKey":"key","registration":{"id":"1a","secret":"s"},"later":{"unknown":1},
            "wanted":{"environment":"moon","system":"iOS 30"},"queue":[{"number":1,"operation":{"dance":{}}}],"position":5}
            """
        let stage = EngineStage()
        stage.write(text, for: "state")
        let parts = try StoredParts(from: stage) { Issue.record("\($0)") }
        #expect(parts.isWhole, "An older version has stored one part.")
        let state = try #require(parts.state)
        #expect(state.registration == Registration(id: "1a", secret: "s"))
        #expect(state.mayBeRegistered)
        #expect(parts.position.position == 5)
        #expect(state.wanted == nil)
        #expect(parts.queue.queue.isEmpty)
        var full = state
        full.wanted = ClientStage.values
        full.wanted?.activityTokens = ["a\"b": "c"]
        full.former = Registration(id: "2b", secret: "\n", userID: 7)
        #expect(try JSONDecoder().decode(SavedState.self, from: StoredPart.state(full).encoded()) == full)
        var queue = parts.queue
        _ = queue.add(.setMobile(nil), caller: nil, underWay: nil)
        // A stored operation may have been sent.
        _ = queue.begin(1)
        #expect(queue.stored.queue == queue.queue)
        #expect(queue.isToBeWritten() && !queue.isToBeWritten())
        // A number that no write has reserved would be given twice.
        var next = queue.stored
        _ = next.add(.setBadge(1), caller: nil, underWay: nil)
        #expect(next.queue.last.map(\.number) ?? 0 > 1)
        var receipts = parts.receipts
        _ = receipts.add(Receipt(messageID: 1, event: .shown, time: 2))
        #expect(try JSONDecoder().decode(ReceiptOutbox.self, from: StoredPart.receipts(receipts).encoded()) == receipts)
    }

    @Test("The state of an older version is split, without a moment in which a kill would lose a part of it")
    func splits() throws {
        let text = """
            {"installation":"one","appKey":"key","registration":{"id":"1a","secret":"s"},"position":5,"lastNumber":7,
            "queue":[{"number":7,"operation":{"setBadge":{"_0":3}}}],"receipts":[{"messageID":1,"event":"opened","time":2}]}
            """
        for deaths in 0...4 {
            let stage = EngineStage()
            stage.write(text, for: "state")
            stage.setWrites(deaths)
            _ = try stage.client()
            stage.setWrites(nil)
            let client = try stage.client()
            #expect(client.currentRegistration?.id == "1a")
            let parts = try StoredParts(from: stage) { Issue.record("\($0)") }
            #expect(!parts.isWhole, "The last process has split it.")
            #expect(parts.position == SavedPosition(registrationID: "1a", position: 5))
            #expect(parts.queue.queue.map(\.operation) == [.setBadge(3)])
            #expect(parts.receipts.receipts.map(\.event) == [.opened])
        }
    }

    @Test("A damaged part begins anew, and costs no other")
    func damaged() throws {
        let stage = EngineStage()
        let client = try stage.client()
        client.perform(.setBadge(1), completion: nil)
        client.start()
        stage.answer(EngineStage.registered)
        stage.write("no JSON", for: "queue")
        var lines: [String] = []
        let parts = try StoredParts(from: stage) { lines.append($0) }
        #expect(parts.state?.registration?.id == "id")
        #expect(parts.queue.queue.isEmpty)
        #expect(lines.count == 1)
    }

    @Test("The wait grows to its limit, is at least half of it, and obeys the service up to an hour")
    func waits() {
        var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        let backoff = Backoff(first: 1, longest: 300)
        for (failures, most) in [(1, 1.0), (2, 2), (5, 16), (9, 256), (10, 300), (1000, 300)] {
            for _ in 0..<50 {
                let wait = backoff.wait(after: failures, order: nil, using: &random)
                #expect(wait >= most / 2 && wait <= most)
            }
        }
        #expect(backoff.wait(after: 1, order: 60, using: &random) >= 60)
        #expect(backoff.wait(after: 1, order: 1e9, using: &random) <= 3601)
        #expect(backoff.wait(after: 1, order: -5, using: &random) <= 1)
    }
}
