import APNSTransport
public import Logging
public import NIOCore
import NIOPosix
public import PushClock
public import PushModel
import Synchronization

/// Sends pushes to APNs, or to a compatible gateway, for one credential and one environment.
///
/// Every push gets exactly one outcome. Pushes that a connection loses are sent again under the same apns-id; 429, 500 and
/// 503 are retried with growing pauses, within the push's expiration and its deadline. When too many pushes are in flight,
/// `send` waits. Pushes for one device are sent over one connection, in order.
/// ```swift
/// let key = try APNSSigningKey(p8: text, keyID: "ABC123DEFG", teamID: "TEAM123456")
/// let client = APNSClient(credential: .key(key), endpoint: .apple(.production))
/// let outcome = await client.send(push)
/// await client.shutdown()
/// ```
public final class APNSClient: Sendable {
    let credential: APNSCredential
    let engine: PushEngine

    /// Creates a client. The first push opens the connections.
    ///
    /// `clock` is the clock for the dates of provider tokens, pauses and deadlines. Sockets, TLS and PING use the
    /// system's time. `group` is the event loops; the process's own by default.
    public init(
        credential: APNSCredential,
        endpoint: APNSEndpoint,
        configuration: APNSClientConfiguration = APNSClientConfiguration(),
        clock: any CivilClock = SystemClock(),
        group: (any EventLoopGroup)? = nil,
        logger: Logger = Logger(label: "posthorn.apns.provider")
    ) {
        self.credential = credential
        engine = PushEngine(
            credential: credential,
            endpoint: endpoint,
            configuration: configuration,
            clock: clock,
            group: group ?? MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
        if let warning = credential.certificate?.warning(at: clock.date) {
            logger.warning("The certificate for APNs needs attention", metadata: ["error": "\(warning)"])
        }
    }

    /// Sends one push and waits for its outcome.
    ///
    /// A push that APNs would certainly refuse (`APNSPush.problem`) is refused here with the same reason. So is one
    /// whose credential has just been refused (`APNSAdvice.Action.pauseCredential`): from time to time one push is let
    /// through to test whether the credential is valid again.
    ///
    /// - Parameters:
    ///   - push: the push. With an expiration of 0 it is not repeated after a pause.
    ///   - limit: the longest time the call takes, including the wait for its turn. Without it, the time counts from its turn
    ///     (``APNSClientConfiguration/deadline``).
    /// - Returns: the outcome; each call gets exactly one.
    nonisolated(nonsending) public func send(_ push: APNSPush, within limit: Duration? = nil) async -> APNSOutcome {
        if let problem = problem(with: push) {
            return .refused(status: problem.reason.status, problem.reason, timestamp: nil)
        }
        return await engine.send(push, within: limit).outcome
    }

    /// Accepts no new pushes, waits for the outcomes of the accepted ones, then closes the connections.
    public func shutdown() async { await engine.shutdown() }

    /// The cheapest executor for tasks that do little but send: the thread of the client's connections.
    ///
    /// ```swift
    /// await withTaskGroup(of: Void.self) { group in
    ///     for push in pushes { group.addTask(executorPreference: client.executor) { await client.send(push) } }
    /// }
    /// ```
    /// A task that blocks there blocks the connections.
    public var executor: any TaskExecutor { engine.executor }

    /// A snapshot of the client's state.
    public struct Status: Hashable, Sendable {
        /// The number of single pushes in flight.
        public var inFlight: Int
        /// The number of pushes that wait for their turn.
        public var waiting: Int
        /// The number of connections that accept pushes.
        public var connections: Int
        /// Whether the credential was refused, so that pushes with it are refused unsent.
        public var isCredentialPaused: Bool
        /// The reason why the last connection failed or ended, in the words of the other side or of the system; empty if none has.
        public var lastTrouble: String
    }

    /// A snapshot of the connections, the queue and the credential.
    public var status: Status {
        engine.state.withLock { state in
            Status(
                inFlight: state.slots.count,
                waiting: state.line.count,
                connections: state.pool.liveCount,
                isCredentialPaused: !state.gate.isOpen,
                lastTrouble: state.pool.lastTrouble
            )
        }
    }
}
