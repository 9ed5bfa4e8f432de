import PostgresClient
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
}
