import Foundation
import PushClock
import Synchronization

/// A virtual clock whose calendar a person may set, as that of a machine.
final class SetClock: CivilClock {
    typealias Instant = VirtualClock.Instant

    let virtual: VirtualClock
    private let offset = Mutex(Duration.zero)

    init(_ virtual: VirtualClock = VirtualClock()) { self.virtual = virtual }

    var now: Instant { virtual.now }
    var minimumResolution: Duration { virtual.minimumResolution }
    var date: Date { virtual.date.addingTimeInterval(offset.withLock(\.self) / .seconds(1)) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await virtual.sleep(until: deadline, tolerance: tolerance)
    }

    /// Sets the calendar; the time that passes stays as it is.
    func set(by duration: Duration) { offset.withLock { $0 += duration } }
}
