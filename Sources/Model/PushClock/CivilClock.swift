public import Foundation

/// A clock that also knows what a calendar on the wall shows.
///
/// Ages and time-outs use its instants; what the wire or a person reads (`iat`, `apns-expiration`, schedules) uses
/// ``date``. Both move together.
public protocol CivilClock: Clock where Duration == Swift.Duration {
    var date: Date { get }
}

extension CivilClock {
    /// Sleeps until the calendar shows `date`; returns at once if it has passed, also if it passes during the call.
    public func sleep(until date: Date) async throws {
        // In this order: a clock that moves between the two lines makes the sleep shorter, never longer.
        let now = self.now
        let rest = Duration.seconds(date.timeIntervalSince(self.date))
        try await sleep(until: now.advanced(by: rest), tolerance: nil)
    }
}
