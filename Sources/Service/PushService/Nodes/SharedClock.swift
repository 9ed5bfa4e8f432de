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
