import Foundation
import Logging
import PostgresClient
import PushService
import PushStorePostgres
import Synchronization
public import Testing

/// Checks whether a server that speaks PostgreSQL's protocol keeps the contract of stores: PostgreSQL itself in another version or
/// with other settings, a service of a cloud, or another database with its protocol and its SQL.
///
/// ```swift
/// let server = try PostgresConformance(url: "postgres:///postgres?host=/run/postgresql&user=tests")
///
/// @Test(arguments: PostgresConformance.clauses)
/// func keeps(_ clause: PostgresConformance.Clause) async throws { try await server.check(clause) }
/// ```
///
/// The failures of a clause are issues of the test that runs it.
public struct PostgresConformance: Sendable {
    /// One promise.
    public struct Clause: Sendable, CustomTestStringConvertible {
        /// The promise, in one sentence; unique.
        public var testDescription: String { promise }
        fileprivate let promise: String
        /// Checks it in a database that has no tables yet.
        fileprivate let check: @Sendable (PostgresConfiguration) async throws -> Void
    }

    /// The promises of a store that one service uses.
    public static let clauses = PushStoreContract.clauses.map { clause in
        Clause(promise: clause.testDescription) { configuration in
            try await withStores(1, in: configuration) { stores in
                try await clause.check { stores[0] }
            }
        }
    }

    /// Further promises of a store that several services, the nodes, share: memberships, roles, links and logs of changes.
    ///
    /// The clock of the database is under the control of these checks: a function `clock_timestamp()` in a schema of its own is found
    /// before the server's.
    public static let sharedClauses = SharedStoreContract.clauses.map { clause in
        Clause(promise: clause.testDescription) { configuration in
            try await withStores(1, in: configuration) { _ in }
            let control = PostgresPool(configuration, logger: logger)
            let begun = await result { try await StoreTime.control(control, at: SharedStoreContract.start) }
            // A connection that was opened before the clock is under control does not use it.
            await control.close()
            try begun.get()
            let clock = PostgresPool(configuration, logger: logger)
            let checked = await result {
                try await withStores(2, in: configuration) { stores in
                    try await clause.check(
                        SharedStoreContract.Fixture(
                            data: stores,
                            shared: stores,
                            term: NodeLease.term,
                            letTermPass: { try await StoreTime.advance(clock, by: NodeLease.term) }
                        )
                    )
                }
            }
            await clock.close()
            try checked.get()
        }
    }

    private let url: URLComponents
    private let administration: PostgresConfiguration

    /// - Parameter url: `postgres://USER@HOST:PORT/DATABASE`, with the options of libpq. The user may create databases; each check
    ///   creates one, whose name begins with `posthorn_conformance_`, and deletes it.
    /// - Throws: an error that says what is wrong with the URL.
    public init(url: String) throws {
        var administration = try PostgresConfiguration(url: url, connections: 1)
        // A server copies a whole database, which takes long on a slow disk.
        administration.limit = .seconds(600)
        self.administration = administration
        guard let components = URLComponents(string: url) else {
            throw Problem("'\(administration.name)' is not a URL; expected postgres://USER@HOST:PORT/DATABASE.")
        }
        self.url = components
    }

    /// Checks a promise on a new database.
    ///
    /// - Parameter clause: one of ``clauses`` or ``sharedClauses``.
    /// - Throws: an error of the server, or of the check.
    public func check(_ clause: Clause) async throws {
        let name = "posthorn_conformance_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        try await administer("CREATE DATABASE \(name)")
        let result = await Self.result { try await check(clause, in: name) }
        try await administer("DROP DATABASE \(name)")
        try result.get()
    }

    private func check(_ clause: Clause, in database: String) async throws {
        var url = url
        url.path = "/\(database)"
        guard let text = url.string else { throw Problem("The URL of the database '\(database)' cannot be made.") }
        try await clause.check(try PostgresConfiguration(url: text, connections: 3))
    }

    /// Runs a body with the stores of nodes, the first of which makes the tables.
    private static func withStores(
        _ count: Int16,
        in configuration: PostgresConfiguration,
        _ body: ([PostgresStore]) async throws -> Void
    ) async throws {
        let stores = (1...count).map { PostgresStore(PostgresPool(configuration, logger: logger), node: $0) }
        let result = await result {
            try await stores[0].migrate()
            try await body(stores)
        }
        for store in stores { await store.close() }
        try result.get()
    }

    private func administer(_ statement: String) async throws {
        let pool = PostgresPool(administration, logger: Self.logger)
        let result = await Self.result { try await pool.run { try $0.executeScript(statement) } }
        await pool.close()
        try result.get()
    }

    private static let logger = Logger(label: "posthorn.conformance")

    private static func result(_ body: () async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    private struct Problem: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }
    }
}
