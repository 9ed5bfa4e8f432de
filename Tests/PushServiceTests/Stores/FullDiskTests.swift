import Foundation
import GRDB
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

@testable import PushStoreSQLite

/// A disk that takes no more, as SQLite itself tells it: its file may not grow, or may not be written to.
@Suite("A disk that takes no writes", .suiteLimit)
struct FullDiskTests {
    /// Lets the database grow by a few pages only.
    private static func fill(_ store: any PushStore) async throws {
        let store = try #require(store as? SQLiteStore)
        try await store.database.write { database in
            let pages = try #require(try Int.fetchOne(database, sql: "PRAGMA page_count"))
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages + 2)")
        }
    }

    private static func makeRoom(_ store: any PushStore) async throws {
        let store = try #require(store as? SQLiteStore)
        try await store.database.write { _ = try Int.fetchOne($0, sql: "PRAGMA max_page_count = 1073741823") }
    }

    private static func setReadOnly(_ isReadOnly: Bool, _ store: any PushStore) async throws {
        let store = try #require(store as? SQLiteStore)
        try await store.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA query_only = \(isReadOnly ? 1 : 0)")
        }
    }

    @Test("A full disk refuses pushes; what was accepted is sent when there is room, and pushes are accepted again")
    func full() async throws {
        let gate = Gate()
        let sender = ScriptedSender { _ in
            await gate.pass()
            return SendOutcome(.sent)
        }
        try await TestService.run(sender: sender) { service in
            try await service.addDevice()
            var accepted: Set<MessageID> = [try await service.push(pushBody()).messageID]
            try await sender.sent.wait(for: 1)
            try await Self.fill(service.store)
            var refusal: StoreError?
            for _ in 0..<500 where refusal == nil {
                do { accepted.insert(try await service.push(pushBody()).messageID) } catch let error as StoreError {
                    refusal = error
                }
            }
            #expect(refusal == .noRoom)
            // What the disk says while an outcome is written costs neither the outcome nor the push.
            gate.open()
            try await Self.makeRoom(service.store)
            accepted.insert(try await service.push(pushBody()).messageID)
            // Whoever met the full disk rests for a second.
            let count = accepted.count
            await service.clock.advance(by: .seconds(2))
            try await service.waitForSent(count)
            let ids = Set(service.seen.elements.filter { $0.kind == .sent }.map(\.apnsID))
            #expect(ids.count == count)
        }
    }

    @Test("A read-only disk refuses pushes, says so once, and takes them again when it can be written to")
    func readOnly() async throws {
        try await withTemporaryFolder { folder in
            let told = Mutex<[StoreError?]>([])
            let store = try SQLiteStore(path: folder.appending(path: "s.sqlite").path) { trouble in
                told.withLock { $0.append(trouble) }
            }
            try await store.setValue([1], for: "a")
            try await Self.setReadOnly(true, store)
            for _ in 0..<3 {
                await #expect(throws: StoreError.readOnly) { try await store.setValue([2], for: "a") }
            }
            #expect(try await store.value("a") == [1])
            try await Self.setReadOnly(false, store)
            try await store.setValue([3], for: "a")
            #expect(try await store.value("a") == [3])
            #expect(told.withLock(\.self) == [.readOnly, nil])
        }
    }

    @Test("Beyond the bound callers are refused, the service's own work is not, and all that waits is written")
    func boundedQueue() async throws {
        try await withTemporaryFolder { folder in
            let limits = GroupCommit.Limits(jobs: 10, bytes: 1000)
            let store = try SQLiteStore(path: folder.appending(path: "s.sqlite").path, limits: limits)
            let (told, telling) = AsyncStream<(String, StoreError?)>.makeStream()
            @Sendable func ask(_ key: String, bytes: Int = 0) {
                store.writes.write(
                    bytes: bytes,
                    { try $0.execute(sql: "INSERT INTO setting VALUES (?, x'')", arguments: [key]) },
                    reply: { result in
                        if case .failure(let error) = result {
                            telling.yield((key, error as? StoreError))
                        } else {
                            telling.yield((key, nil))
                        }
                    }
                )
            }
            // The one who writes waits until all have asked.
            store.database.asyncWriteWithoutTransaction { _ in
                WriteBackpressure.$mayBeRefused.withValue(true) {
                    // One alone may be of any size; beside it there is no room for another byte.
                    ask("large", bytes: 5000)
                    ask("byte", bytes: 1)
                    for number in 0..<20 { ask("small \(number)") }
                }
                for number in 0..<20 { ask("own \(number)") }
            }
            var answers: [String: StoreError?] = [:]
            for await (key, error) in told.prefix(42) { answers[key] = .some(error) }
            let refused = answers.filter { $0.value == .busy }.keys
            #expect(refused.count == 1 + 20)
            #expect(refused.contains("byte"))
            #expect(!refused.contains { $0.hasPrefix("own") })
            for (key, error) in answers {
                #expect(try await store.value(key) != nil || error == .busy, "\(key)")
            }
            // There is room again.
            try await WriteBackpressure.$mayBeRefused.withValue(true) { try await store.setValue([1], for: "after") }
        }
    }

    @Test("A caller may write again as soon as it has its answer, whatever the answer is")
    func roomForTheNext() async throws {
        try await withTemporaryFolder { folder in
            let limits = GroupCommit.Limits(jobs: 1, bytes: 1)
            let store = try SQLiteStore(path: folder.appending(path: "s.sqlite").path, limits: limits)
            /// Returns how the writes ended, each of which begins while the answer to the one before is given.
            func answers(to statements: [String]) async -> [StoreError?] {
                let (answers, answer) = AsyncStream<StoreError?>.makeStream()
                @Sendable func write(_ statements: ArraySlice<String>) {
                    guard let statement = statements.first else { return answer.finish() }
                    WriteBackpressure.$mayBeRefused.withValue(true) {
                        store.writes.write(
                            bytes: 1,
                            { try $0.execute(sql: statement) },
                            reply: { result in
                                let error: (any Error)? = if case .failure(let error) = result { error } else { nil }
                                answer.yield(error as? StoreError)
                                write(statements.dropFirst())
                            }
                        )
                    }
                }
                write(statements[...])
                return await answers.reduce(into: []) { $0.append($1) }
            }
            let stored = "INSERT INTO setting VALUES ('a', x'')"
            // The second and the third fail by their own fault.
            #expect(
                await answers(to: [stored, stored, "INSERT INTO nothing VALUES (1)", "DELETE FROM setting"]) == [
                    nil, nil, nil, nil,
                ]
            )
            try await Self.setReadOnly(true, store)
            #expect(await answers(to: [stored, stored]) == [.readOnly, .readOnly])
            try await Self.setReadOnly(false, store)
        }
    }

    @Test("Without room the service's own work is written, though a caller's in the same commit is not")
    func ownWorkFirst() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "s.sqlite").path)
            try await store.setValue([0], for: "small")
            try await Self.fill(store)
            let (told, telling) = AsyncStream<(String, (any Error)?)>.makeStream()
            @Sendable func ask(_ key: String, bytes: Int) {
                let value = Data(repeating: 1, count: bytes)
                store.writes.write(
                    { try $0.execute(sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [key, value]) },
                    reply: { result in
                        if case .failure(let error) = result {
                            telling.yield((key, error))
                        } else {
                            telling.yield((key, nil))
                        }
                    }
                )
            }
            store.database.asyncWriteWithoutTransaction { _ in
                WriteBackpressure.$mayBeRefused.withValue(true) { ask("large", bytes: 1 << 20) }
                ask("small", bytes: 2)
            }
            var answers: [String: (any Error)?] = [:]
            for await (key, error) in told.prefix(2) { answers[key] = .some(error) }
            #expect(answers["large"].flatMap { $0 as? StoreError } == .noRoom)
            #expect(try await store.value("small") == [1, 1])
            #expect(try await store.value("large") == nil)
        }
    }

    @Test("A service starts on a full disk, and what it could not write then comes before all else")
    func start() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "s.sqlite").path)
            _ = try await TestService.createApp("com.example.first", in: store, at: Date())
            try await Self.setReadOnly(true, store)
            await #expect(throws: StoreError.readOnly) { try await store.leaveOutPositions(through: 1_000_000) }
            #expect(try await store.lastCustomMessage() == 0)
            try await Self.setReadOnly(false, store)
            try await store.setValue([1], for: "first")
            #expect(try await store.lastCustomMessage() == 1_000_000)
            try await store.setValue([1], for: "second")
            #expect(try await store.lastCustomMessage() == 1_000_000)
        }
    }
}
