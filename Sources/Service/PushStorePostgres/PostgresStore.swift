package import PostgresClient
package import PushService
package import PushStoreSQL
import Synchronization

/// The store in a PostgreSQL database, for several nodes.
///
/// PostgreSQL's commit means disk, on a synchronous standby too if there is one. Accepts of a node share transactions, and
/// so do registrations and logins of devices; all other writes have their own.
package final class PostgresStore: PushStore {
    /// The number of stores that belong to no node, such as those of commands.
    package static let commandNode: Int16 = 0

    let pool: PostgresPool
    /// A connection for the node's membership, so that heartbeats do not wait for other work. Created at its first use: a service
    /// that is alone has none.
    private let membership = Mutex<PostgresPool?>(nil)
    /// The number of this node, from 1.
    let node: Int16
    let accepts: AcceptCommit
    let deviceChanges = DeviceCommit()
    package let callbackSignal = LocalWorkSignal()
    let damaged: @Sendable (String) -> Void
    let ordinals = OrdinalBlocks()
    let doubtfulLeases = DoubtfulLeases()
    let unanswered = UnansweredChanges()
    /// The number of changes to apps by this process.
    package let appChanges = ChangeCount()

    /// Creates the store of a node, which has a number of its own from 1, for a database that ``migrate()`` has prepared.
    /// Connections are opened when they are needed. `damaged` is called for each unreadable row that was skipped.
    package init(_ pool: PostgresPool, node: Int16 = 1, damaged: @escaping @Sendable (String) -> Void = { _ in }) {
        self.pool = pool
        self.node = node
        self.damaged = damaged
        accepts = AcceptCommit(pool, node: node, callbacks: callbackSignal)
    }

    /// Brings the tables to the current version; of several nodes that start together, one does it.
    ///
    /// - Throws: ``NewerSchema`` for a database of a newer version; ``StoreError`` if the server is away.
    package func migrate() async throws {
        try await Self.reporting {
            try await self.pool.transaction { connection in
                // A step may rewrite a large table, and other nodes wait for it.
                try connection.allowing(.seconds(3600)) { try Schema.migrate(connection) }
            }
        }
    }

    /// Ends the connections; the store must not be used afterwards.
    package func close() async {
        await membership.withLock { $0 }?.close()
        await pool.close()
    }

    /// The connection for the node's membership.
    var membershipPool: PostgresPool {
        membership.withLock { known in
            let pool = known ?? self.pool.sibling(connections: 1)
            known = pool
            return pool
        }
    }

    /// Reads what several statements find, at one moment.
    package func query<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        do {
            return try await Self.reporting {
                try await self.pool.transaction { connection in
                    connection.queue("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                    return try body(StoreSession(connection, node: self.node))
                }
            }
        } catch StoreError.unknownOutcome(let detail) {
            // There was nothing to commit.
            throw StoreError.unavailable(detail)
        }
    }

    /// Reads with a single statement.
    func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value { try await Self.reporting { try await self.pool.run(body) } }

    /// Writes in one transaction. It may run again after a conflict, so `body` must change only the database.
    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value { try await write(by: pool, body) }

    /// Writes in one transaction on the connection of the membership.
    func writeMembership<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value { try await write(by: membershipPool, body) }

    private func write<Value: Sendable>(
        by pool: PostgresPool,
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        let (value, hasCallbackEvents) = try await noting {
            try await pool.transaction { connection in
                let session = StoreSession(connection, node: self.node)
                let value = try body(session)
                return (value, session.hasCallbackEvents)
            }
        }
        if hasCallbackEvents { callbackSignal.raise() }
        return value
    }

    /// Reports errors as ``reporting(_:)`` does, and notes a commit that was not answered.
    private func noting<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await Self.reporting(body) } catch {
            if case StoreError.unknownOutcome = error { unanswered.note() }
            throw error
        }
    }

    /// Reports errors of the server as errors of the store.
    static func reporting<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as PostgresError { throw StoreError(error) ?? error }
    }
}

extension StoreError {
    /// Nil for an error of a statement, which is a mistake of ours.
    init?(_ error: PostgresError) {
        switch error {
        case .unavailable(let detail): self = .unavailable(detail)
        case .unknownOutcome(let detail): self = .unknownOutcome(detail)
        case .conflict: self = .busy
        case .refused: return nil
        }
    }
}

extension PostgresStore: SharedStore {}
