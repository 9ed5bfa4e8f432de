public import PushModel

/// How patient and how busy an ``APNSClient`` is.
public struct APNSClientConfiguration: Sendable {
    /// Pushes that are on their way at one time; further callers of `send` wait.
    public var maxInFlight: Int
    /// How often one push is handed to a connection at most.
    public var attempts: Int
    /// How long one push is tried, counted from when its turn came.
    public var deadline: Duration
    /// How long an answer may take before the connection counts as dead and the push is sent again.
    public var answerTimeout: Duration
    /// The pause after the first failure; doubled with each further one up to ``longestPause``.
    ///
    /// The pause taken is a random share of it, between half and all: 0.5 to 1 s, 1 to 2 s, 2 to 4 s and so on.
    public var firstPause: Duration
    public var longestPause: Duration
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
}
