import Foundation
import GRDB
import PushService
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("SQLite store", .timeLimit(.minutes(5)))
struct SQLiteStoreTests {
    @Test("Keeps the contract of stores", arguments: PushStoreContract.clauses + PushStoreContract.gapless)
    func contract(_ clause: PushStoreContract.Clause) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            try await clause.check { try SQLiteStore(path: path) }
        }
    }

    @Test("A commit waits for the disk, so that a power cut takes back nothing that was answered")
    func waitsForTheDisk() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let (mode, synchronous) = try await store.writes.write { database in
                (
                    try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                    try Int.fetchOne(database, sql: "PRAGMA synchronous")
                )
            }
            #expect(mode == "wal")
            // FULL.
            #expect(synchronous == 2)
        }
    }

    private struct Refusal: Error {}

    @Test("Work that fails takes nobody with it, though all share a commit")
    func failsAlone() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let (told, telling) = AsyncStream<(Int, Bool)>.makeStream()
            // The one who writes waits until all have asked, so that they share a transaction.
            store.database.asyncWriteWithoutTransaction { _ in
                for number in 0..<40 {
                    store.writes.write(
                        { (database) throws -> Int in
                            let key = "key \(number)"
                            try database.execute(sql: "INSERT INTO setting VALUES (?, ?)", arguments: [key, number])
                            if number % 10 == 7 { throw Refusal() }
                            return number
                        },
                        reply: { result in telling.yield((number, (try? result.get()) != nil)) }
                    )
                }
            }
            var kept: [Int: Bool] = [:]
            for await (number, isKept) in told.prefix(40) { kept[number] = isKept }
            for number in 0..<40 {
                let value = try await store.value("key \(number)")
                #expect((value != nil) == (number % 10 != 7))
                #expect(kept[number] == (number % 10 != 7))
            }
        }
    }

    @Test("Says which file cannot be opened")
    func refusesWhatIsNoDatabase() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "store.sqlite")
            try Data(repeating: 0x41, count: 4096).write(to: file)
            #expect(throws: (any Error).self) { try SQLiteStore(path: file.path) }
            #expect(throws: (any Error).self) {
                try SQLiteStore(path: folder.appending(path: "missing/store.sqlite").path)
            }
        }
    }
}
