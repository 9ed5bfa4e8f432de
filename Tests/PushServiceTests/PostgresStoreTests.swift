import Foundation
import PostgresClient
import PostgresTestSupport
import PushService
import Testing

@testable import PushStorePostgres

@Suite("PostgreSQL store", .timeLimit(.minutes(5)))
struct PostgresStoreTests {
    @Test("Keeps the contract of stores", arguments: PushStoreContract.clauses)
    func contract(_ clause: PushStoreContract.Clause) async throws {
        try await PostgresDatabase.with { pool in try await clause.check { PostgresStore(pool) } }
    }

    @Test("Keeps the contract if each opening is another node's", arguments: PushStoreContract.clauses)
    func contractOfNodes(_ clause: PushStoreContract.Clause) async throws {
        try await PostgresDatabase.with { pool in
            var node: Int16 = 0
            try await clause.check {
                node += 1
                return PostgresStore(pool, node: node)
            }
        }
    }

    @Test("Migrates once, and refuses a database of a newer version")
    func migrates() async throws {
        try await PostgresDatabase.with { pool in
            let store = PostgresStore(pool)
            try await store.migrate()
            let rows = try await pool.run { try $0.execute("SELECT count(*) FROM schemaMigration").first?.int(0) }
            #expect(rows == Schema.migrations.count)
            _ = try await pool.run {
                try $0.execute("INSERT INTO schemaMigration (version, name) VALUES (9999, 'of the future')").affected
            }
            await #expect(throws: NewerSchema.self) { try await store.migrate() }
        }
    }
    @Test("Callback events of an earlier version wait for a receiver of their app, and are counted")
    func callbacksOfEarlierVersion() async throws {
        let server = try PostgresServer.shared.get()
        let pool = try PostgresDatabase.pool(try await server.makeDatabase())
        try await pool.transaction { try Schema.migrate($0, to: 11) }
        try await pool.transaction { connection in
            for statement in [
                "INSERT INTO callbackReceiver (name, failures, pausedUntil) VALUES ('https://x', 3, 5000), ('https://y', 0, 0)",
                """
                INSERT INTO callback (message, app, origin, isVoIP, url, params, kinds, receiver) VALUES
                (7, 1, 7, false, 'https://x/a', '{}', 15, 1), (8, 2, 8, false, 'https://x/b', '{}', 15, 1),
                (9, 2, 9, false, 'https://y/', '{}', 15, 2)
                """,
                """
                INSERT INTO callbackEvent (message, kind, part, at, ordinals, attempts, dueAt, receiver) VALUES
                (7, 8, 'notification', 1000, '\\x00', 2, 1000, 1), (8, 8, 'notification', 1000, '\\x00', 0, 9000, 1)
                """,
            ] { try connection.execute(statement) }
        }
        let store = PostgresStore(pool)
        try await store.migrate()
        #expect(try await store.waitingCallbacks() == [1: 1, 2: 1])
        #expect(try await store.nextCallbackDue(besides: []) == Date(timeIntervalSince1970: 5))
        #expect(try await store.nextCallbackDue(besides: [1]) == Date(timeIntervalSince1970: 9))
        let limits = CallbackLimits(receivers: 4, ofApp: 4, rows: 10, events: 10)
        let now = Date(timeIntervalSince1970: 20)
        let lots = try await store.takeCallbacks(at: now, limits, until: now + 120)
        #expect(lots.map(\.app).sorted() == [1, 2] && Set(lots.map(\.receiver)).count == 2)
        #expect(lots.first { $0.app == 1 }?.batches.flatMap(\.events).map(\.attempts) == [2])
        await store.close()
    }
}
