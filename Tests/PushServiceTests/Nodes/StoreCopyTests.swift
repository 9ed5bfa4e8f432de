import Foundation
import GRDB
import PostgresClient
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStorePostgres
@testable import PushStoreSQLite

@Suite("Copies from SQLite to PostgreSQL", .suiteLimit)
struct StoreCopyTests {
    /// The tables that only PostgreSQL has, or whose rows have another form.
    private static let others: Set = [
        "schemamigration", "messageid", "customMessageHead", "deviceordinal", "registryhead", "registrylog",
        "custommessagehead",
        "cid", "usedcid", "usedcid0", "usedcid1", "cidrotation", "node", "leader", "link", "ratewindow",
    ]

    private static func withSource(_ body: (SQLiteRows, String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "posthorn.sqlite").path(percentEncoded: false)
            try SQLiteStore(path: path).close()
            let queue = try DatabaseQueue(path: path, configuration: .patient)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO setting VALUES ('nextMessageID', 71), ('zone', x'0102');
                        INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt)
                            VALUES (1, 'k', x'00', 'A' || char(0) || 'B', 'b', 'production', 5);
                        INSERT INTO deviceFloor VALUES (1, 9, 255);
                        INSERT INTO message (id, app, acceptedAt, body, environment, timeToLive, sendno, lane)
                            VALUES (70, 1, 6, x'7B7D', 'production', 60, 3, 5);
                        INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone,
                            updatedAt, lane, leaseOwner, leasedUntil) VALUES (70, 0, 1, 'send', x'01', 0, 1, 0, 6, 0, 6, 5, 1, 99);
                        INSERT INTO cid VALUES (1, 'old', 1, 1, 100), (1, 'new', 70, 3, 200),
                            (1, 'schedule x 1', 70, 3, 100);
                        """
                )
            }
            try queue.close()
            let rows = try SQLiteRows(path: path)
            try await body(rows, path)
            try rows.close()
        }
    }

    @Test("All tables of both stores are copied, or known to need it not")
    func tables() async throws {
        try await PostgresDatabase.with { pool in
            let own = try await pool.run { connection in
                try connection.execute("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")
                    .map { $0.text(0) }
            }
            try await Self.withSource { rows, path in
                let copied = Set(rows.tables.map { $0.lowercased() })
                #expect(Set(own).subtracting(copied).isSubset(of: Self.others))
                let queue = try DatabaseQueue(path: path, configuration: .patient)
                let theirs = try await queue.read { database in
                    try String.fetchAll(
                        database,
                        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                    )
                }
                #expect(Set(theirs).subtracting(rows.tables) == ["cid", "grdb_migrations"])
                try queue.close()
            }
        }
    }

    @Test("Rows, counters and recent cids are there afterwards, and a second copy is refused")
    func copy() async throws {
        try await PostgresDatabase.with { pool in
            let store = PostgresStore(pool)
            try await Self.withSource { rows, _ in
                let copying = PostgresImport(into: store)
                #expect(try await copying.begin("one") == .copied(0))
                #expect(try await store.isUnfinishedCopy())
                await #expect(throws: PostgresImport.Problem.self) { _ = try await copying.begin("two") }
                try await copying.copy(rows) { _ in }
                // The same again: nothing is copied twice.
                #expect(try await copying.begin("one") == .copied(5))
                try await copying.copy(rows) { _ in }
                try await copying.copyCIDs(rows, since: 150)
                let copied = try await copying.finish(rows)
                #expect(copied.values.reduce(0, +) == 5)
                #expect(try await !store.isUnfinishedCopy())
                // Whoever was not told of the end asks again.
                #expect(try await copying.begin("one") == .complete(copied))
                await #expect(throws: PostgresImport.Problem.self) { _ = try await copying.begin("two") }
                try await copying.conclude()
                await #expect(throws: PostgresImport.Problem.self) { _ = try await copying.begin("one") }
            }
            #expect(try await store.value("zone") == [1, 2])
            #expect(try await store.reserveMessageIDs(1, notBefore: MessageID(0)).number == 71)
            try await pool.run { connection in
                #expect(try connection.execute("SELECT name FROM app").map { $0.text(0) } == ["A"])
                let chunk = try connection.execute(
                    "SELECT leaseOwner IS NULL AND leasedUntil IS NULL AND NOT isDone FROM chunk"
                )
                #expect(chunk.map { $0.bool(0) } == [true])
                let message = try connection.execute("SELECT chunkCount, node FROM message")
                #expect(message.map { [$0.int64(0), $0.int64(1)] } == [[Int64.max, 0]])
                #expect(try connection.execute("SELECT next FROM deviceOrdinal").map { $0.int64(0) } == [9])
                #expect(try connection.execute("SELECT cid FROM usedCID").map { $0.text(0) } == ["new"])
                #expect(try connection.execute("SELECT cid FROM cid").map { $0.text(0) } == ["schedule x 1"])
            }
        }
    }

    @Test("Rows that are missing at the end are noticed")
    func counted() async throws {
        try await PostgresDatabase.with { pool in
            let store = PostgresStore(pool)
            try await Self.withSource { rows, _ in
                let copying = PostgresImport(into: store)
                _ = try await copying.begin("one")
                try await copying.copy(rows) { _ in }
                try await pool.run { try $0.executeScript("DELETE FROM chunk") }
                let problem = await #expect(throws: PostgresImport.Problem.self) { _ = try await copying.finish(rows) }
                #expect(problem?.description.contains("'chunk' has 1 rows in SQLite and 0 in PostgreSQL") == true)
                #expect(try await store.isUnfinishedCopy())
            }
        }
    }
}
