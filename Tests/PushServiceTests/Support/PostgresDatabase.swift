import Foundation
import Logging
import PostgresClient
import PostgresTestSupport
import PushStorePostgres
import Synchronization
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

    /// Creates a database with the current tables.
    ///
    /// - Parameter server: the server; nil for the one that all tests share.
    /// - Returns: the URL.
    /// - Throws: an error of the server.
    static func make(on server: PostgresServer? = nil) async throws -> String {
        if let server {
            let url = try await server.makeDatabase()
            let store = PostgresStore(try pool(url))
            try await store.migrate()
            await store.close()
            return url
        }
        let template = try await template.value
        return try await PostgresServer.shared.get().makeDatabase(from: template)
    }

    /// All tests begin at once, and each has several connections.
    private static let turns = Turns(8)

    /// Runs a test with the pool of a new database, a few at a time.
    static func with(_ body: (PostgresPool) async throws -> Void) async throws {
        try await turns.take {
            let pool = try pool(try await make())
            do { try await body(pool) } catch {
                await pool.close()
                throw error
            }
            await pool.close()
        }
    }
}

/// Lets a number of tests in at a time, in the order in which they come: a server has a limited number of connections.
private final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Runs a body when there is a place, and gives the place to the next afterwards.
    ///
    /// - Parameter body: the test.
    /// - Returns: its result.
    /// - Throws: its error.
    func take<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await withCheckedContinuation { caller in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(caller)
                return false
            }
            if isFree { caller.resume() }
        }
        defer {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard !state.waiting.isEmpty else {
                    state.free += 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
        return try await body()
    }
}
