import PostgresClient
import PushService
import Synchronization

/// A transaction whose commit was not answered, because the connection was lost.
struct UnknownCommit: Sendable {
    /// The time for which a server that was lost is asked about it. A standby takes over within it.
    private static let patience = Duration.seconds(15)
    /// The time for the session to end, in milliseconds.
    private static let endTime: Int64 = 1000

    /// The process of the server that has served the lost connection.
    var process: Int32
    /// The reason of the loss.
    var detail: String

    /// Returns whether the transaction was committed: `find`, called within a transaction, perhaps several times, takes a
    /// lock that the lost transaction took first, and looks for what it has written.
    ///
    /// - Throws: ``StoreError/unknownOutcome(_:)`` if nobody can say.
    func isStored(
        in pool: PostgresPool,
        _ find: @escaping @Sendable (PostgresConnection) throws -> Bool
    ) async throws -> Bool {
        do {
            let found: Bool? = try await pool.run(within: Self.patience) { connection in
                if try connection.transaction(find) { return true }
                // The server may have the statements and have executed none of them, so that the lock was free.
                guard try end(in: connection), try !connection.transaction(find) else { return nil }
                return false
            }
            if let found { return found }
        } catch is PostgresError {}
        throw StoreError.unknownOutcome(detail)
    }

    /// Ends the session of the lost connection, so that it commits nothing from then on.
    ///
    /// The server may be another one since, where the same number is another session of Posthorn: that one reconnects.
    ///
    /// - Returns: whether it has ended.
    private func end(in connection: PostgresConnection) throws -> Bool {
        let ended = try connection.execute(
            """
            SELECT pg_terminate_backend(pid, $2) FROM pg_stat_activity
            WHERE pid = $1 AND datname = current_database() AND usename = current_user
            """,
            .int32(process),
            .int64(Self.endTime)
        )
        return ended.allSatisfy { $0.bool(0) }
    }
}

extension PostgresStore {
    /// Writes in one transaction as ``change(_:)`` does. If its commit is not answered, looks whether it was committed, as
    /// ``UnknownCommit/isStored(in:_:)`` does: what was stored is never reported as failed. `body` takes a lock that `find`
    /// takes as well.
    ///
    /// - Throws: ``StoreError``; ``StoreError/unknownOutcome(_:)`` only if nobody can say.
    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value,
        unlessAnswered find: @escaping @Sendable (StoreSession) throws -> Bool
    ) async throws -> Value {
        // Survives the loss of the connection during the commit.
        let made = Mutex<(value: Value, process: Int32)?>(nil)
        do {
            return try await change { session in
                let value = try body(session)
                made.withLock { $0 = (value, session.connection.process) }
                return value
            }
        } catch let error as StoreError {
            guard case .unknownOutcome(let detail) = error, let made = made.withLock({ $0 }) else { throw error }
            let commit = UnknownCommit(process: made.process, detail: detail)
            let isStored = try await commit.isStored(in: pool) { [node] in try find(StoreSession($0, node: node)) }
            guard isStored else { throw StoreError.unavailable(detail) }
            callbackSignal.raise()
            return made.value
        }
    }
}
