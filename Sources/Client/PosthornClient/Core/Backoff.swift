import Foundation

/// The wait after a failed call: doubled with each failure up to a limit, and a random part of it, so that devices do not
/// return at the same moment.
public struct Backoff: Hashable, Sendable {
    /// The longest wait after the first failure, in seconds.
    public var first: TimeInterval
    /// The longest wait after any failure, in seconds.
    public var longest: TimeInterval

    /// Creates a back-off; by default at most 1, 2, 4 … 300 seconds.
    public init(first: TimeInterval = 1, longest: TimeInterval = 300) {
        self.first = first
        self.longest = longest
    }

    /// The longest `Retry-After` that is obeyed, in seconds: an hour.
    static let longestOrder: TimeInterval = 3600

    /// Returns the wait after so many failures in a row, in seconds.
    ///
    /// - Parameters:
    ///   - failures: 1 after the first.
    ///   - order: the answer's `Retry-After` in seconds; the wait is never shorter.
    ///   - random: the source of chance.
    /// - Returns: the wait in seconds.
    func wait(
        after failures: Int,
        order: TimeInterval?,
        using random: inout any RandomNumberGenerator & Sendable
    ) -> TimeInterval {
        let most = min(longest, first * pow(2, Double(min(max(failures, 1), 32) - 1)))
        let own = Double(Int.random(in: (most / 2).milliseconds...most.milliseconds, using: &random)) / 1000
        guard let order, order > 0 else { return own }
        return min(order, Self.longestOrder) + own / 2
    }
}
