/// The delay before a link is opened again: at most 1, 2, 4 … 60 seconds, at least half of that.
public struct LinkBackoff: Hashable, Sendable {
    private var failures = 0

    /// Creates a backoff whose first delay is at most one second.
    public init() {}

    /// Returns the delay before the next attempt, and doubles the following one.
    public mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let longest = min(60_000, 1000 << min(failures, 6))
        failures += 1
        return .milliseconds(Int.random(in: longest / 2...longest, using: &random))
    }

    /// Records that the link works: the next delay is short again.
    public mutating func reset() { failures = 0 }
}
