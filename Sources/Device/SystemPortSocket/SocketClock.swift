import Foundation
import PushClock
import Synchronization

/// The device's clock, read over the port each time: it may stand still or be advanced.
struct SocketClock: CivilClock {
    let port: SocketPort

    private var reading: ClockReading {
        guard case .time(let reading) = port.ask({ .askTime(id: $0) }) else {
            return ClockReading(elapsed: .zero, date: .distantPast)
        }
        return reading
    }

    /// The time since the start of the port, on the device's clock.
    var now: ElapsedTime { ElapsedTime(offset: reading.elapsed) }
    var date: Date { reading.date }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ElapsedTime, tolerance: Duration?) async throws {
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
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    var reading: ClockReading { ClockReading(elapsed: elapsed(), date: clock.date) }
}
