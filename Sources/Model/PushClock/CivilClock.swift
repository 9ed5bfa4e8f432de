public import Foundation

/// A clock that also has the calendar date.
///
/// Ages and timeouts use its instants; values on the wire or for people (`iat`, `apns-expiration`, schedules) use ``date``.
/// Both advance together.
public protocol CivilClock: Clock where Duration == Swift.Duration {
    var date: Date { get }
}

extension CivilClock {
    /// Sleeps until `date`; returns at once if it has passed, or passes during the call.
    public func sleep(until date: Date) async throws {
        // The order matters: a clock that advances between the two lines makes the sleep shorter, never longer.
        let now = self.now
        // Whole microseconds, since smaller parts of the difference are rounding errors of the two dates.
        let rest = Duration.microseconds((date.timeIntervalSince(self.date) * 1_000_000).rounded())
        try await sleep(until: now.advanced(by: rest), tolerance: nil)
    }
}
