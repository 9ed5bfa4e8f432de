import Foundation
import PostgresClient
import PostgresTestSupport
import PushService
import PushStorePostgres
import TestSupport
import Testing

/// A database whose server keeps the answers to some commits back.
struct HeldCommits {
    let store: PostgresStore
    /// The same, but its commits wait for a standby that does not exist.
    let waiting: PostgresStore
    let pool: PostgresPool

    /// Runs a test with a database that has one app.
    ///
    /// - Parameter body: the test.
    /// - Throws: the error of the beginning; that of the test is recorded.
    static func run(_ body: (HeldCommits) async throws -> Void) async throws {
        // Sessions wait for the standby only if they say so.
        let settings = ["synchronous_standby_names = 'nobody'", "synchronous_commit = local"]
        let server = try PostgresServer(settings: settings)
        let url = try await PostgresDatabase.make(on: server)
        let pool = try PostgresDatabase.pool(url)
        let store = PostgresStore(pool)
        let waiting = PostgresStore(try PostgresDatabase.pool("\(url)&options=-c%20synchronous_commit%3Don"))
        _ = try await TestService.createApp("com.example.first", in: store, at: SharedStoreContract.start)
        do {
            try await body(HeldCommits(store: store, waiting: waiting, pool: pool))
        } catch {
            Issue.record(error)
        }
        await waiting.close()
        await pool.close()
        // The server stops with its last reference.
        withExtendedLifetime(server) {}
    }

    /// Runs a write of the waiting store and cuts its connection when the changes are on disk, before the server has said so.
    ///
    /// - Parameter write: the write.
    /// - Returns: its result.
    /// - Throws: its error.
    func loseAnswer<Value: Sendable>(
        to write: @escaping @Sendable (PostgresStore) async throws -> Value
    ) async throws -> Value {
        async let result = write(waiting)
        try await eventually("the commit waits for the standby") { try await cut() }
        return try await result
    }

    /// Loses the answer to a write that does not look up what it has written.
    func loseOutcome(of write: @escaping @Sendable (PostgresStore) async throws -> Void) async throws {
        do {
            try await loseAnswer(to: write)
            Issue.record("The commit was answered.")
        } catch StoreError.unknownOutcome {}
    }

    /// Cuts the connections of commits that wait for the standby.
    ///
    /// - Returns: whether there are any.
    func cut() async throws -> Bool {
        try await pool.run {
            try !$0.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event = 'SyncRep'
                """
            ).isEmpty
        }
    }
}
