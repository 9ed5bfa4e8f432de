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
        /// Sleepers that were woken and have not gone on yet.
        var woken: Set<Int> = []
        /// How often the list of sleepers has changed.
        var changes = 0
        /// Tasks that wait for the next change, by a number of their own.
        var observers: [Int: CheckedContinuation<Void, Never>] = [:]

        var nextDeadline: Instant? { sleepers.map(\.deadline).min() }

        /// - Returns: the observers, which are to be resumed outside the lock.
        mutating func change() -> [CheckedContinuation<Void, Never>] {
            changes += 1
            defer { observers = [:] }
            return Array(observers.values)
        }
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
    public var nextDeadline: Instant? { state.withLock(\.nextDeadline) }

    /// Returns the next deadline once there is one that fits, without letting time pass.
    ///
    /// `fits` is asked at first, and again whenever somebody lies down or wakes, or time moves.
    ///
    /// - Throws: `CancellationError`.
    package func nextDeadline(where fits: @Sendable (Instant) -> Bool) async throws -> Instant {
        while true {
            try Task.checkCancellation()
            let (deadline, changes) = state.withLock { ($0.nextDeadline, $0.changes) }
            if let deadline, fits(deadline) { return deadline }
            await change(after: changes)
        }
    }

    /// Returns when the list of sleepers has changed more than `changes` times, or the task is cancelled.
    private func change(after changes: Int) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.changes != changes || Task.isCancelled { return true }
                    state.observers[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.observers.removeValue(forKey: id) }?.resume()
        }
    }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (outcome, observers): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) =
                    state.withLock { state in
                        if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
                        if deadline <= state.now { return (.success(()), []) }
                        state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                        return (nil, state.change())
                    }
                if let outcome { continuation.resume(with: outcome) }
                for observer in observers { observer.resume() }
            }
        } onCancel: {
            let (sleeper, observers): (Sleeper?, [CheckedContinuation<Void, Never>]) = state.withLock { state in
                guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return (nil, [])
                }
                return (state.sleepers.remove(at: place), state.change())
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            for observer in observers { observer.resume() }
        }
        state.withLock { state in
            state.cancelled.remove(id)
            state.woken.remove(id)
        }
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
        let (woken, observers) = state.withLock { state in
            state.now = max(state.now, instant)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            state.woken.formUnion(due.map(\.id))
            return (due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }, state.change())
        }
        for sleeper in woken { sleeper.continuation.resume() }
        for observer in observers { observer.resume() }
    }

    /// Lets tasks that were woken run, so that a sleep they start next is seen before time moves on.
    ///
    /// On a busy machine a woken task may take a while to run again. One that cannot, since its executor waits for the
    /// caller, holds time up for about a second.
    private func settle() async {
        for _ in 0..<10 { await Task.yield() }
        var looks = 0
        while state.withLock({ !$0.woken.isEmpty }), looks < 500, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(1))
            looks += 1
        }
        guard looks > 0 else { return }
        for _ in 0..<10 { await Task.yield() }
    }
}
