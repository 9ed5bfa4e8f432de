import Foundation
package import Logging
import NIOPosix
import Synchronization

/// Sends and receives notifications (`NOTIFY` and `LISTEN`), on a connection and a thread of its own.
///
/// A lost connection is opened again, with pauses of up to two seconds between attempts. Notifications meanwhile are lost. It works until
/// ``close()``.
package final class PostgresListener: Sendable {
    package enum Event: Hashable, Sendable {
        /// It listens from now on; earlier notifications may have been lost.
        case connected
        /// The text of a notification, also of one that it has sent itself.
        case notified(String)
    }

    private struct State {
        var nextID = 0
        /// The texts to send, in order.
        var waiting: [(id: Int, text: String)] = []
        /// The callers to tell.
        var callers: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Calls that were cancelled before they began.
        var cancelled: Set<Int> = []
        var isConnected = false
        var isClosed = false
        var lastProblem = "the connection is being opened"
    }

    private let configuration: PostgresConfiguration
    private let channel: String
    private let logger: Logger
    private let heard: @Sendable (Event) -> Void
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let wake: WakePipe
    private let state = Mutex(State())

    /// Begins to listen to a channel, whose name has letters, digits and underscores. `heard` is called on the listener's
    /// thread for each event and must not block.
    package init(
        _ configuration: PostgresConfiguration,
        channel: String,
        logger: Logger,
        heard: @escaping @Sendable (Event) -> Void
    ) {
        self.configuration = configuration
        self.channel = channel
        self.logger = logger
        self.heard = heard
        wake = WakePipe()
        thread.start()
        thread.submit { [self] state in if state == .active { run() } }
    }

    /// Sends a notification of less than 8000 bytes and waits until the server has it.
    ///
    /// - Throws: ``PostgresError/unavailable(_:)`` while there is no connection, and if it is lost.
    package func notify(_ text: String) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
                let problem = state.withLock { state -> (any Error)? in
                    if state.cancelled.remove(id) != nil { return CancellationError() }
                    guard state.isConnected else { return PostgresError.unavailable(state.lastProblem) }
                    state.callers[id] = caller
                    state.waiting.append((id, text))
                    return nil
                }
                if let problem { caller.resume(throwing: problem) } else { wake.wake() }
            }
        } onCancel: {
            let caller = state.withLock { state in
                if state.callers[id] == nil { state.cancelled.insert(id) }
                return state.callers.removeValue(forKey: id)
            }
            caller?.resume(throwing: CancellationError())
        }
        // A cancellation after the answer leaves its mark.
        state.withLock { _ = $0.cancelled.remove(id) }
    }

    /// Ends the connection, and returns when the thread has ended.
    package func close() async {
        state.withLock { $0.isClosed = true }
        wake.wake()
        // Only fails if it is closed already.
        try? await thread.shutdownGracefully()
    }

    // MARK: - The thread

    private var isClosed: Bool { state.withLock(\.isClosed) }

    private func run() {
        var failures = 0
        while !isClosed {
            do {
                let connection = try PostgresConnection(configuration.info, givingUp: configuration.givingUp)
                // Notifications are lost with the server anyway, so their transactions need no disk.
                try connection.executeScript("SET synchronous_commit = off; LISTEN \(channel)")
                if failures > 0 { logger.notice("PostgreSQL at \(configuration) sends notifications again") }
                failures = 0
                state.withLock { $0.isConnected = true }
                heard(.connected)
                try serve(connection)
            } catch {
                if failures == 0, !isClosed {
                    logger.warning("PostgreSQL at \(configuration) sends no notifications: \(error)")
                }
                failures += 1
                disconnect(error)
            }
            if !isClosed { wake.wait(milliseconds: Int32(min(2000, 50 << min(failures, 6)))) }
        }
        disconnect(PostgresError.unavailable("the listener is closed"))
    }

    /// Sends and receives until the connection is lost, or the listener closed.
    private func serve(_ connection: PostgresConnection) throws {
        while !isClosed {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting.filter { state.callers[$0.id] != nil }
            }
            for (id, text) in waiting {
                try connection.execute("SELECT pg_notify($1, $2)", .text(channel), .text(text))
                let caller = state.withLock { $0.callers.removeValue(forKey: id) }
                caller?.resume()
            }
            for text in try connection.notifications() { heard(.notified(text)) }
            wake.wait(for: connection.socket)
        }
    }

    /// Answers all callers with an error.
    private func disconnect(_ error: any Error) {
        let callers = state.withLock { state in
            defer { state.callers = [:] }
            state.isConnected = false
            state.waiting = []
            state.lastProblem = "\(error)"
            if case PostgresError.unavailable(let reason) = error { state.lastProblem = reason }
            return state.callers.values
        }
        for caller in callers { caller.resume(throwing: error) }
    }
}

/// Wakes a thread that waits for a socket.
private final class WakePipe: Sendable {
    private let reader: Int32
    private let writer: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // Fails only if the process has no file descriptors left.
        precondition(unsafe pipe(&ends) == 0, "a pipe cannot be created: error \(errno)")
        reader = ends[0]
        writer = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(reader)
        close(writer)
    }

    func wake() {
        // Full means that the thread is awake.
        var byte: UInt8 = 1
        _ = unsafe write(writer, &byte, 1)
    }

    /// Waits for a wake-up, for bytes to read from a socket, or for a time.
    func wait(for socket: Int32? = nil, milliseconds: Int32 = -1) {
        var waits = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
        if let socket { waits.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
        // An interrupted wait is repeated by the caller's loop.
        _ = unsafe poll(&waits, nfds_t(waits.count), milliseconds)
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(reader, &bytes, bytes.count) > 0 {}
    }
}
