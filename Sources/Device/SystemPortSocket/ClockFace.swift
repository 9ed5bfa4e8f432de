import Foundation
import PushClock

/// A clock of any type, with its instants counted from the creation of this value.
struct ClockFace: Sendable {
    let clock: any CivilClock
    private let elapsed: @Sendable () -> Duration

    init(_ clock: some CivilClock) {
        let start = clock.now
        self.clock = clock
        elapsed = { start.duration(to: clock.now) }
    }

    var reading: ClockReading { ClockReading(elapsed: elapsed(), date: clock.date) }
}
