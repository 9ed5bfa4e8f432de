package import Foundation
package import PushClock
import Synchronization

/// A clock with the date of the store that nodes share, so that nodes agree on due times whatever their own clocks show.
package final class SharedClock<Base: CivilClock>: CivilClock {
    private let base: Base
    private let elapsed: @Sendable () -> Duration
    private let stored: Mutex<StoreDate>

    /// Creates a clock that shows the date of `base` until the store has answered.
    package init(_ base: Base) {
        self.base = base
        elapsed = base.stopwatch()
        stored = Mutex(StoreDate(base.date, at: .zero))
    }

    package var now: Base.Instant { base.now }
    package var minimumResolution: Duration { base.minimumResolution }

    package var date: Date {
        let time = elapsed()
        return stored.withLock { $0.date(at: time) }
    }

    package func sleep(until deadline: Base.Instant, tolerance: Duration?) async throws {
        try await base.sleep(until: deadline, tolerance: tolerance)
    }

    /// Corrects the date by an answer of the store that came a moment ago, `duration` after its request; returns the
    /// correction in seconds, 0 if there was none.
    package func correct(by date: Date, after duration: Duration) -> TimeInterval {
        let time = elapsed()
        return stored.withLock { $0.correct(by: date, requestedAt: time - duration, answeredAt: time) }
    }
}

/// The date by the clock of the store that nodes share.
///
/// Between answers of the store the date follows elapsed time, so a change of the machine's clock has no effect.
package struct StoreDate: Hashable, Sendable {
    /// The difference below which the date is not corrected, in seconds: it may be the time that the answer took.
    package static let slack: TimeInterval = 0.5

    private var known: Date
    private var knownAt: Duration

    /// Creates a date from the one at a time on a clock that nobody sets.
    package init(_ date: Date, at time: Duration) {
        known = date
        knownAt = time
    }

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
        known = found
        knownAt = answer
        return correction
    }
}
