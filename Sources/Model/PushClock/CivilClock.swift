public import Foundation

/// A clock that also has the calendar date.
///
/// Ages and timeouts use its instants; values on the wire or for people (`iat`, `apns-expiration`, schedules) use ``date``.
/// Both advance together.
public protocol CivilClock: Clock where Duration == Swift.Duration {
    /// The date at this moment; it never runs backwards between two readings of the same virtual clock.
    var date: Date { get }
}

extension CivilClock {
    /// Sleeps until `date`, to the microsecond; returns at once if it has passed, or passes during the call.
    public func sleep(until date: Date) async throws {
        // The order matters: a clock that advances between the two lines makes the sleep shorter, never longer.
        let now = self.now
        // Whole microseconds, since smaller parts of the difference are rounding errors of the two dates.
        let rest = (date.timeIntervalSince(self.date) * 1_000_000).rounded()
        // A caller that waits for the date in a loop must get there, so a date to come is never now.
        let isToCome = date > self.date
        try await sleep(until: now.advanced(by: .microseconds(isToCome ? max(rest, 1) : rest)), tolerance: nil)
    }
}

extension CivilClock {
    /// Returns a function that returns the time since this call, independent of changes to the date.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
