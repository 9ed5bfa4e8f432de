import Foundation
import PushClock
import Synchronization

/// The device's clock, read over the port each time: it may stand still or be advanced.
struct SocketClock: CivilClock {
    /// The time since the start of the port, on the device's clock.
    struct Instant: InstantProtocol {
        typealias Duration = Swift.Duration
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let port: SocketPort

    private var reading: ClockReading {
        guard case .time(let reading) = port.ask({ .askTime(id: $0) }) else {
            return ClockReading(elapsed: .zero, date: .distantPast)
        }
        return reading
    }

    var now: Instant { Instant(offset: reading.elapsed) }
    var date: Date { reading.date }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = port.state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A cancellation before this point is seen here; a later one finds the sleeper.
                let isCancelled = port.state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[id] = continuation
                    return false
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                port.send(.sleep(id: id, until: deadline.offset))
            }
        } onCancel: {
            guard let sleeper = port.state.withLock({ $0.sleepers.removeValue(forKey: id) }) else { return }
            port.send(.cancelSleep(id: id))
            sleeper.resume(throwing: CancellationError())
        }
    }
}

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
