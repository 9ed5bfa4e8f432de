public import Foundation
import Synchronization

/// A clock that stands still until it is told to move.
///
/// Sleepers wake in the order of their deadlines, and those with one deadline in the order in which they lay down.
public final class VirtualClock: CivilClock {
    /// Time passed since the clock was made.
    public struct Instant: InstantProtocol {
        public typealias Duration = Swift.Duration
        package var offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var id: Int
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        var sleepers: [Sleeper] = []
        /// Sleeps that were cancelled before they lay down.
        var cancelled: Set<Int> = []
    }

    private let start: Date
    private let state = Mutex(State())

    /// - Parameter date: what the calendar shows at first; 1 January 2026, 08:00 UTC if nothing is said.
    public init(date: Date = Date(timeIntervalSince1970: 1_767_254_400)) {
        start = date
    }

    public var now: Instant { state.withLock(\.now) }
    public var minimumResolution: Duration { .nanoseconds(1) }
    public var date: Date { start.addingTimeInterval(now.offset / .seconds(1)) }

    /// When the next sleeper wakes; nil while nobody sleeps.
    public var nextDeadline: Instant? {
        state.withLock { $0.sleepers.min { ($0.deadline, $0.id) < ($1.deadline, $1.id) }?.deadline }
    }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper: Sleeper? = state.withLock { state in
                guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: place)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
        _ = state.withLock { $0.cancelled.remove(id) }
    }

    /// Moves time on by `duration`, stopping at each deadline on the way so that what wakes there sees its own moment.
    public func advance(by duration: Duration) async {
        let target = now.advanced(by: duration)
        while let deadline = nextDeadline, deadline <= target {
            wake(at: deadline)
            await settle()
        }
        wake(at: target)
        await settle()
    }

    /// Moves time on to `date`; does nothing if it has passed.
    public func advance(to date: Date) async {
        await advance(by: max(.zero, .seconds(date.timeIntervalSince(self.date))))
    }

    /// Moves time on to the next deadline and wakes who waits there.
    ///
    /// - Returns: false if nobody sleeps.
    @discardableResult
    public func advanceToNextDeadline() async -> Bool {
        guard let deadline = nextDeadline else { return false }
        wake(at: deadline)
        await settle()
        return true
    }

    private func wake(at instant: Instant) {
        let woken = state.withLock { state in
            state.now = max(state.now, instant)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Lets tasks that were woken run, so that a sleep they start next is seen before time moves on.
    private func settle() async {
        for _ in 0..<10 { await Task.yield() }
    }
}
