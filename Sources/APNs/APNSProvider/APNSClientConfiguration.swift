public import PushModel

/// The limits and timing of an ``APNSClient``.
public struct APNSClientConfiguration: Sendable {
    /// The largest number of pushes in flight; further callers of `send` wait.
    public var maxInFlight: Int
    /// The largest number of times that one push is handed to a connection.
    public var attempts: Int
    /// The time in which attempts to send a push may begin, counted from its turn. An answer that is still pending then is
    /// awaited to the end of ``answerTimeout``, so that a push that may have arrived is not reported as failed.
    public var deadline: Duration
    /// The time to wait for an answer before the push is sent again. A connection that was silent for all that time counts
    /// as dead.
    public var answerTimeout: Duration
    /// The pause after the first failure; doubled with each further one up to ``longestPause``.
    ///
    /// The actual pause is a random share of it, between half and all: 0.5 to 1 s, 1 to 2 s, 2 to 4 s and so on.
    public var firstPause: Duration
    /// The longest pause between two attempts.
    public var longestPause: Duration
    /// The number of connections: the lower bound from the first push on, more while answers are slow.
    public var connections: ClosedRange<Int> = 1...4
    /// The average answer time up to which no further connection is opened.
    public var slowAnswer: Duration = .milliseconds(100)
    /// The time with little to send after which one connection is closed.
    public var idleTime: Duration = .seconds(60)
    /// The silence of the other side after which a PING is sent. In real time.
    ///
    /// Source: Apple, "Sending notification requests to APNs", read October 2026: an hour is good, more often is not needed.
    public var pingAfter: Duration = .seconds(3600)
    /// The longest pause after a refusal of the credential, during which no push with it is sent: 10 s at first, then twice as
    /// long each time, up to this.
    public var longestCredentialPause: Duration = .seconds(600)
    /// A number from 0 to 1, for the pauses.
    public var random: @Sendable () -> Double
    /// Called when a push will be sent again, with the push and the reason of APNs or `connection`.
    public var retried: (@Sendable (APNSPush, String) -> Void)?
    /// Called when APNs ends a connection, with the text of its GOAWAY.
    public var goAway: (@Sendable (String) -> Void)?

    /// Creates a configuration; the parameters are its properties.
    public init(
        maxInFlight: Int = 1000,
        attempts: Int = 16,
        deadline: Duration = .seconds(300),
        answerTimeout: Duration = .seconds(30),
        firstPause: Duration = .seconds(1),
        longestPause: Duration = .seconds(60),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        retried: (@Sendable (APNSPush, String) -> Void)? = nil,
        goAway: (@Sendable (String) -> Void)? = nil
    ) {
        self.maxInFlight = max(1, maxInFlight)
        self.attempts = max(1, attempts)
        self.deadline = deadline
        self.answerTimeout = answerTimeout
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.random = random
        self.retried = retried
        self.goAway = goAway
    }

    /// The pause after the `failures`-th failure in a row, counted from 1.
    func pause(after failures: Int) -> Duration {
        let doubled = firstPause * (1 << min(max(failures - 1, 0), 20))
        return min(doubled, longestPause) * (0.5 + 0.5 * random())
    }

    /// The pause after the `refusals`-th refusal of the credential, counted from 1.
    func credentialPause(after refusals: Int) -> Duration {
        min(.seconds(10) * (1 << min(max(refusals - 1, 0), 20)), longestCredentialPause)
    }

    var pool: ConnectionPool.Rules {
        ConnectionPool.Rules(
            connections: max(1, connections.lowerBound)...max(1, connections.upperBound),
            slowAnswer: slowAnswer,
            idleTime: idleTime,
            pause: pause
        )
    }
}
