import Foundation
import Logging
import PostgresClient
import PostgresTestSupport
import PushStorePostgres
import Testing

/// Databases on the tests' PostgreSQL server.
enum PostgresDatabase {
    /// A database with the current tables, from which each test has a copy.
    private static let template = Task { () async throws -> String in
        let server = try PostgresServer.shared.get()
        let url = try await server.makeDatabase()
        let store = PostgresStore(try pool(url))
        try await store.migrate()
        await store.close()
        return try #require(URL(string: url)?.lastPathComponent)
    }

    static func pool(_ url: String) throws -> PostgresPool {
        PostgresPool(try PostgresConfiguration(url: url, connections: 3), logger: Logger(label: "tests"))
    }

    /// Creates a database with the current tables, and returns its URL.
    static func make() async throws -> String {
        let template = try await template.value
        return try await PostgresServer.shared.get().makeDatabase(from: template)
    }

    /// Runs a test with the pool of a new database.
    static func with(_ body: (PostgresPool) async throws -> Void) async throws {
        let pool = try pool(try await make())
        do { try await body(pool) } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }
}
