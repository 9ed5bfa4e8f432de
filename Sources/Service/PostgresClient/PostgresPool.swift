package import Logging
import NIOPosix
import Synchronization

/// Connections to one server, used by the threads of a pool.
///
/// Connections are opened when they are needed. After a failed attempt the next ones fail at once for a while, up to two seconds, so
/// that callers get their answer and a server that starts is not besieged.
package final class PostgresPool: Sendable {
    package let configuration: PostgresConfiguration
    private let threads: NIOThreadPool
    private let logger: Logger
    private let metrics = PostgresMetrics()
    private let state = Mutex(State())

    private struct State {
        var idle: [Parked] = []
        /// The number of attempts that have failed since the last success.
        var failures = 0
        /// No attempt is made before.
        var retryAt = ContinuousClock.now
        var lastProblem = ""
        var isClosed = false
    }

    /// A connection that nobody uses.
    ///
    /// Unchecked: a connection is used by one thread at a time. A body takes it out of the state, under its lock, and puts it back.
    private struct Parked: @unchecked Sendable {
        var connection: PostgresConnection
    }

    /// How often a transaction is begun if others are in its way.
    private static let attempts = 5

    package init(_ configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        threads = NIOThreadPool(numberOfThreads: configuration.connections)
        threads.start()
    }

    /// Returns a pool for the same server, with its own maximum number of connections.
    package func sibling(connections: Int) -> PostgresPool {
        var configuration = configuration
        configuration.connections = connections
        return PostgresPool(configuration, logger: logger)
    }

    /// Runs a body on a thread of the pool, with a connection, which it must not keep, outside a transaction.
    ///
    /// - Throws: the error of `body`, or ``PostgresError/unavailable(_:)``.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Result
    ) async throws -> Result {
        let call = PostgresMetrics.Call(metrics)
        defer { call.end() }
        return try await threads.runIfActive {
            call.end()
            return try self.withConnection(body)
        }
    }

    /// Runs a body as ``run(_:)`` does; while the server is not available, tries again until `patience` is over, in the machine's time.
    package func run<Result: Sendable>(
        within patience: Duration,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Result
    ) async throws -> Result {
        let end = ContinuousClock.now + patience
        while true {
            do { return try await run(body) } catch PostgresError.unavailable
                where ContinuousClock.now < end && !configuration.givingUp.applies
            {
                let retryAt = state.withLock { max($0.retryAt, .now + .milliseconds(10)) }
                try await Task.sleep(until: retryAt, clock: .continuous)
            }
        }
    }

    /// Runs a body, which must have no effects but those in the database, within a transaction, and commits. If other transactions are in
    /// its way, it is run again, up to five times in all. The changes are on disk, as far as the server's `synchronous_commit` says so.
    ///
    /// `committed` is called with the result on the thread of the connection, which saves waiting for another one; it must not block.
    @discardableResult
    package func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Result,
        committed: @escaping @Sendable (Result) -> Void = { _ in }
    ) async throws -> Result {
        try await run { connection in
            for attempt in 1... {
                do {
                    let result = try connection.transaction { try body($0) }
                    committed(result)
                    return result
                } catch PostgresError.conflict(let reason) where attempt < Self.attempts {
                    self.metrics.count(.conflict(reason))
                }
            }
            preconditionFailure("the last attempt returns or throws")
        }
    }

    /// Closes all connections, after the work under way.
    package func close() async {
        state.withLock { state in
            state.isClosed = true
            state.idle.removeAll()
            metrics.changed(used: 0, idle: 0)
        }
        // Only fails if the pool is closed already.
        try? await threads.shutdownGracefully()
    }

    private func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        do {
            let connection = try take()
            defer { put(connection) }
            return try body(connection)
        } catch let error as PostgresError {
            metrics.count(error)
            throw error
        }
    }

    private func take() throws(PostgresError) -> PostgresConnection {
        let (parked, problem) = state.withLock { state -> (Parked?, String?) in
            if let parked = state.idle.popLast() {
                metrics.changed(used: 1, idle: state.idle.count)
                return (parked, nil)
            }
            return (nil, state.retryAt > .now ? state.lastProblem : nil)
        }
        if let parked { return parked.connection }
        if let problem { throw .unavailable(problem) }
        guard !configuration.givingUp.applies else { throw .unavailable(PostgresGivingUp.reason) }
        do throws(PostgresError) {
            let connection = try PostgresConnection(
                configuration.info,
                limit: configuration.limit,
                givingUp: configuration.givingUp
            )
            let failures = state.withLock { state in
                defer { state.failures = 0 }
                metrics.changed(used: 1, idle: state.idle.count)
                return state.failures
            }
            metrics.attempted(isOpened: true)
            if failures > 0 { logger.notice("PostgreSQL at \(configuration) answers again") }
            return connection
        } catch {
            metrics.attempted(isOpened: false)
            let isFirst = state.withLock { state in
                state.failures += 1
                state.lastProblem = "\(error)"
                if case .unavailable(let reason) = error { state.lastProblem = reason }
                state.retryAt = .now + .milliseconds(min(2000, 50 << min(state.failures, 6)))
                return state.failures == 1
            }
            if isFirst { logger.warning("PostgreSQL at \(configuration) is not available: \(error)") }
            throw error
        }
    }

    private func put(_ connection: PostgresConnection) {
        let parked = Parked(connection: connection)
        state.withLock { state in
            if connection.isBroken {
                // The others have most likely lost the server, too.
                state.idle.removeAll()
            } else if !state.isClosed {
                state.idle.append(parked)
            }
            metrics.changed(used: -1, idle: state.idle.count)
        }
    }
}
