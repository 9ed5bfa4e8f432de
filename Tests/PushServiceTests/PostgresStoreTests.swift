import Foundation
import Logging
import PostgresClient
import PostgresTestSupport
import PushService
import Testing

@testable import PushStorePostgres

@Suite("PostgreSQL store", .timeLimit(.minutes(5)))
struct PostgresStoreTests {
    /// A database with the current tables, from which each test has a copy.
    private static let template = Task { () async throws -> String in
        let server = try PostgresServer.shared.get()
        let url = try await server.makeDatabase()
        let store = PostgresStore(try pool(url))
        try await store.migrate()
        await store.close()
        return try #require(URL(string: url)?.lastPathComponent)
    }

    private static func pool(_ url: String) throws -> PostgresPool {
        PostgresPool(try PostgresConfiguration(url: url, connections: 3), logger: Logger(label: "tests"))
    }

    /// Runs a test with the pool of a new database.
    private func withDatabase(_ body: (PostgresPool) async throws -> Void) async throws {
        let template = try await Self.template.value
        let pool = try Self.pool(try await PostgresServer.shared.get().makeDatabase(from: template))
        do { try await body(pool) } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    @Test("Keeps the contract of stores", arguments: PushStoreContract.clauses)
    func contract(_ clause: PushStoreContract.Clause) async throws {
        try await withDatabase { pool in try await clause.check { PostgresStore(pool) } }
    }

    @Test("Migrates once, and refuses a database of a newer version")
    func migrates() async throws {
        try await withDatabase { pool in
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
