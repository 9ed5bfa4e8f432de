import Foundation
import GRDB
import PushService
import Testing

@testable import PushStoreSQLite

@Suite("SQLite store", .timeLimit(.minutes(5)))
struct SQLiteStoreTests {
    @Test("Keeps the contract of stores", arguments: PushStoreContract.clauses)
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
