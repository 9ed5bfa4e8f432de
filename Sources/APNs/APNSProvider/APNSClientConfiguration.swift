public import PushModel

/// How patient and how busy an ``APNSClient`` is.
public struct APNSClientConfiguration: Sendable {
    /// Pushes that are on their way at one time; further callers of `send` wait.
    public var maxInFlight: Int
    /// How often one push is handed to a connection at most.
    public var attempts: Int
    /// How long attempts to send one push are begun, counted from when its turn came. An answer that is still awaited then is
    /// awaited to the end of ``answerTimeout``, so that a push that may have arrived is not called failed.
    public var deadline: Duration
    /// How long an answer may take before the push is sent again. A connection that has said nothing all that time counts
    /// as dead.
    public var answerTimeout: Duration
    /// The pause after the first failure; doubled with each further one up to ``longestPause``.
    ///
    /// The pause taken is a random share of it, between half and all: 0.5 to 1 s, 1 to 2 s, 2 to 4 s and so on.
    public var firstPause: Duration
    public var longestPause: Duration
    /// How many connections there may be: as many as the lower bound from the first push on, more while answers get slow.
    public var connections: ClosedRange<Int> = 1...4
    /// Answers that take no longer than this on average are quick enough for no further connection to be opened.
    public var slowAnswer: Duration = .milliseconds(100)
    /// How long there has to be little to send before there is one connection fewer.
    public var idleTime: Duration = .seconds(60)
    /// How long the other side may be silent before it is asked by a PING whether it is still there. In real time.
    ///
    /// Source: Apple, "Sending notification requests to APNs", read October 2026: an hour is good, more often is not needed.
    public var pingAfter: Duration = .seconds(3600)
    /// How long after a refusal of the credential no push with it is sent: after the first 10 s, then twice as long each time,
    /// up to this.
    public var longestCredentialPause: Duration = .seconds(600)
    /// A number from 0 to 1, for the pauses.
    public var random: @Sendable () -> Double
    /// Told when a push will be sent again: the push, and the reason of APNs or `connection`.
    public var retried: (@Sendable (APNSPush, String) -> Void)?
    /// Told when APNs ends a connection: what its GOAWAY said.
    public var goAway: (@Sendable (String) -> Void)?

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
            idleTime: idleTime
        )
    }
}
