import APNSTransport
public import Logging
public import NIOCore
import NIOPosix
public import PushClock
public import PushModel
import Synchronization

/// Sends pushes to APNs, or to a gateway that behaves like it, for one credential and one environment.
///
/// Every push gets exactly one outcome. What a connection loses is sent again under the same apns-id; 429, 500 and 503 are
/// repeated with growing pauses, within the push's expiration and its deadline. When too much is on its way, `send` waits.
/// Pushes for one device travel over one connection, one behind the other.
/// ```swift
/// let key = try APNSSigningKey(p8: text, keyID: "ABC123DEFG", teamID: "TEAM123456")
/// let client = APNSClient(credential: .key(key), endpoint: .apple(.production))
/// let outcome = await client.send(push)
/// await client.shutdown()
/// ```
public final class APNSClient: Sendable {
    let credential: APNSCredential
    let engine: PushEngine

    /// Opens nothing: the first push does.
    ///
    /// Of the parameters:
    /// * `clock`: dates the provider tokens, and times pauses and deadlines. Sockets, TLS and PING live by the system's time.
    /// * `group`: the event loops; the process's own if nothing is said.
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
            logger.warning("The certificate for APNs needs a person", metadata: ["error": "\(warning)"])
        }
    }

    /// Sends one push and waits for its outcome.
    ///
    /// A push that any APNs would refuse (`APNSPush.problem`) is refused here with the same reason. So is one
    /// whose credential has just been refused (``APNSAdvice/Action/pauseCredential``): from time to time one is let
    /// through to see whether the credential is good again.
    ///
    /// - Parameters:
    ///   - push: the push. With an expiration of 0 it is not repeated after a pause.
    ///   - limit: the longest the call takes, the wait for its turn included. Without it, the time counts from its turn
    ///     (``APNSClientConfiguration/deadline``).
    /// - Returns: how it ended; each call gets one outcome.
    nonisolated(nonsending) public func send(_ push: APNSPush, within limit: Duration? = nil) async -> APNSOutcome {
        if let problem = problem(with: push) {
            return .refused(status: problem.reason.status, problem.reason, timestamp: nil)
        }
        return await engine.send(push, within: limit).outcome
    }

    /// Takes no new pushes, waits for the outcome of those that were handed over, then closes the connections.
    public func shutdown() async { await engine.shutdown() }

    /// Where tasks that do little but send run cheapest: on the thread of the client's connections.
    ///
    /// ```swift
    /// await withTaskGroup(of: Void.self) { group in
    ///     for push in pushes { group.addTask(executorPreference: client.executor) { await client.send(push) } }
    /// }
    /// ```
    /// What blocks such a task blocks the connections.
    public var executor: any TaskExecutor { engine.executor }

    /// What goes on in the client at this moment.
    public struct Status: Hashable, Sendable {
        /// Pushes on their way that were sent one by one.
        public var inFlight: Int
        /// Pushes whose turn has not come.
        public var waiting: Int
        /// Connections that take pushes.
        public var connections: Int
        /// Whether the credential was refused, so that pushes with it are refused unsent.
        public var isCredentialPaused: Bool
        /// Why the last connection failed or ended, in the words of the other side or of the system.
        public var lastTrouble: String
    }

    public var status: Status {
        engine.state.withLock { state in
            Status(
                inFlight: state.slots.count,
                waiting: state.line.count,
                connections: state.pool.liveCount,
                isCredentialPaused: !state.gate.isOpen,
                lastTrouble: state.pool.lastError
            )
        }
    }
}
