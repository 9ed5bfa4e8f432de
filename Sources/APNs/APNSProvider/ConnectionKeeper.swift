import APNSTransport
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// Keeps one connection to APNs: opens it when somebody asks, replaces it when it ends, and pauses between attempts.
///
/// A second connection, opened when latency climbs, is left for later.
final class ConnectionKeeper: Sendable {
    /// A connection in use; the number tells it from its predecessors.
    struct Live: Sendable {
        var number: Int
        var connection: APNSConnection
    }

    struct Unavailable: Error, CustomStringConvertible {
        var description: String
    }

    private typealias Waiter = CheckedContinuation<Result<Live, Unavailable>, Never>

    private struct State {
        var live: Live?
        var connecting: Task<Void, Never>?
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var number = 0
        /// Connections that ended before they were put to use.
        var ended: Set<Int> = []
        /// Connections in a row that failed or ended without a single answer.
        var failures = 0
        /// The last connection on which an answer came.
        var answered = 0
        var lastError = "no connection yet"
        var isClosed = false
    }

    private let endpoint: APNSEndpoint
    private let certificate: APNSCertificate?
    private let configuration: APNSClientConfiguration
    private let group: any EventLoopGroup
    private let stopwatch: Stopwatch
    private let watchdog: Watchdog
    private let desk: BatchDesk
    private let logger: Logger
    private let state = Mutex(State())

    init(
        endpoint: APNSEndpoint,
        certificate: APNSCertificate?,
        configuration: APNSClientConfiguration,
        group: any EventLoopGroup,
        stopwatch: Stopwatch,
        watchdog: Watchdog,
        desk: BatchDesk,
        logger: Logger
    ) {
        self.endpoint = endpoint
        self.certificate = certificate
        self.configuration = configuration
        self.group = group
        self.stopwatch = stopwatch
        self.watchdog = watchdog
        self.desk = desk
        self.logger = logger
    }

    /// The connection, or why there is none at `moment`.
    func connection(until moment: Duration) async -> Result<Live, Unavailable> {
        if let live = state.withLock({ $0.isClosed ? nil : $0.live }) { return .success(live) }
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let watch = watchdog.watch(until: moment) { self.dismiss(id, because: "in time") }
        defer { watchdog.forget(watch) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let result = state.withLock { state -> Result<Live, Unavailable>? in
                    if state.isClosed { return .failure(Unavailable(description: "The client was shut down.")) }
                    if let live = state.live { return .success(live) }
                    if Task.isCancelled { return .failure(Unavailable(description: "The task was cancelled.")) }
                    state.waiters[id] = waiter
                    // Unstructured: many pushes wait for one connection, and none of them owns it. It ends when the
                    // connection stands or nobody waits; `close` awaits it.
                    if state.connecting == nil { state.connecting = Task { await self.connect() } }
                    return nil
                }
                if let result { waiter.resume(returning: result) }
            }
        } onCancel: {
            dismiss(id, because: "before the task was cancelled")
        }
    }

    /// Uses the connection for nothing new; what is open on it may still be answered.
    func retire(_ live: Live, because reason: String) {
        state.withLock { if $0.live?.number == live.number { $0.live = nil } }
        live.connection.leave(reason)
    }

    func close() async {
        let (live, connecting) = state.withLock { state in
            state.isClosed = true
            defer { state.live = nil }
            return (state.live, state.connecting)
        }
        connecting?.cancel()
        await connecting?.value
        live?.connection.leave("the client was shut down")
        await live?.connection.waitUntilClosed()
    }

    private func dismiss(_ id: Int, because reason: String) {
        let (waiter, error) = state.withLock { ($0.waiters.removeValue(forKey: id), $0.lastError) }
        let text = "No connection to \(endpoint.host):\(endpoint.port) \(reason): \(error)."
        waiter?.resume(returning: .failure(Unavailable(description: text)))
    }

    private func connect() async {
        while true {
            // The first failure is mended at once.
            let failures = state.withLock(\.failures) - 1
            if failures > 0 {
                try? await stopwatch.sleep(until: stopwatch.elapsed + configuration.pause(after: failures))
            }
            let isWanted = state.withLock { state in
                if state.waiters.isEmpty || state.isClosed || Task.isCancelled { state.connecting = nil }
                return state.connecting != nil
            }
            guard isWanted else { return }
            if await attempt() { return }
        }
    }

    /// - Returns: whether the connection stands.
    private func attempt() async -> Bool {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        do {
            var limits = HTTP2Limits()
            limits.acceptedStreams = configuration.maxInFlight
            let connection = try await APNSConnection.connect(
                to: try endpoint.target(showing: certificate),
                group: group,
                limits: limits
            ) {
                self.happened($0, to: number)
            } tell: {
                self.desk.take($0)
            }
            let live = Live(number: number, connection: connection)
            let waiters = state.withLock { state -> [Waiter]? in
                guard state.ended.remove(number) == nil else { return nil }
                state.live = live
                state.connecting = nil
                defer { state.waiters = [:] }
                return state.waiters.sorted { $0.key < $1.key }.map(\.value)
            }
            guard let waiters else { throw Unavailable(description: "it was ended as soon as it stood") }
            for waiter in waiters { waiter.resume(returning: .success(live)) }
            return true
        } catch {
            state.withLock { state in
                state.failures += 1
                state.lastError = "\(error)"
                state.ended.remove(number)
            }
            logger.debug(
                "No connection to APNs",
                metadata: ["error": "\(error)", "connection.peer": "\(endpoint.host)"]
            )
            return false
        }
    }

    private func happened(_ event: APNSConnection.Event, to number: Int) {
        switch event {
        case .settings: break
        case .answered:
            // The connection is good for something.
            state.withLock { state in
                state.answered = number
                state.failures = 0
            }
        case .goAway(let goAway):
            configuration.goAway?(goAway.text)
            logger.debug("APNs ends the connection", metadata: ["apns.reason": "\(goAway.text)"])
            ended(number, "GOAWAY \(goAway.text)")
        case .closed(let reason): ended(number, reason)
        }
    }

    private func ended(_ number: Int, _ reason: String) {
        state.withLock { state in
            state.lastError = reason
            if state.live?.number == number {
                state.live = nil
                if state.answered < number { state.failures += 1 }
            } else if state.number == number, state.connecting != nil {
                state.ended.insert(number)
            }
        }
    }
}
