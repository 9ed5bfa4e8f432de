package import Foundation

/// The date by the clock of the store that nodes share.
///
/// Between answers of the store the date follows elapsed time, so a change of the machine's clock has no effect.
package struct StoreDate: Hashable, Sendable {
    /// The difference below which the date is not corrected, in seconds: it may be the time that the answer took.
    package static let slack: TimeInterval = 0.5

    private var known: Date
    private var knownAt: Duration

    /// Creates a date from the one at a time on a clock that nobody sets.
    package init(_ date: Date, at time: Duration) { (known, knownAt) = (date, time) }

    /// Returns the date at a time.
    package func date(at time: Duration) -> Date { known.addingTimeInterval((time - knownAt) / .seconds(1)) }

    /// Corrects the date by an answer of the store; returns the correction in seconds, 0 if there was none.
    @discardableResult
    package mutating func correct(
        by date: Date,
        requestedAt request: Duration,
        answeredAt answer: Duration
    ) -> TimeInterval {
        let half = (answer - request) / 2
        let found = date.addingTimeInterval(half / .seconds(1))
        let correction = found.timeIntervalSince(self.date(at: answer))
        guard abs(correction) > Self.slack + half / .seconds(1) else { return 0 }
        (known, knownAt) = (found, answer)
        return correction
    }
}
