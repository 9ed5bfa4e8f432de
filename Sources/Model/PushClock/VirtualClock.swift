public import Foundation
import Synchronization

/// A clock that advances only on request.
///
/// Sleepers wake in the order of their deadlines; those with the same deadline wake in the order in which they went to sleep.
public final class VirtualClock: CivilClock {
    /// The time since the clock was created.
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
        /// Sleeps that were cancelled before they were registered.
        var cancelled: Set<Int> = []
        /// Sleepers that were woken and have not resumed yet.
        var woken: Set<Int> = []
        /// The number of changes to the list of sleepers.
        var changes = 0
        /// Tasks that wait for the next change, by their own number.
        var observers: [Int: CheckedContinuation<Void, Never>] = [:]

        var nextDeadline: Instant? { sleepers.map(\.deadline).min() }

        /// - Returns: the observers, to be resumed outside the lock.
        mutating func change() -> [CheckedContinuation<Void, Never>] {
            changes += 1
            defer { observers = [:] }
            return Array(observers.values)
        }
    }

    private let start: Date
    private let state = Mutex(State())

    /// - Parameter date: the initial date; 1 January 2026, 08:00 UTC by default.
    public init(date: Date = Date(timeIntervalSince1970: 1_767_254_400)) {
        start = date
    }

    public var now: Instant { state.withLock(\.now) }
    public var minimumResolution: Duration { .nanoseconds(1) }
    public var date: Date { start.addingTimeInterval(now.offset / .seconds(1)) }

    /// The next deadline; nil without sleepers.
    public var nextDeadline: Instant? { state.withLock(\.nextDeadline) }

    /// Waits for a deadline that fits and returns it, without advancing time.
    ///
    /// `fits` is called at first, and again whenever a sleeper is added or wakes, or time advances.
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

    /// Advances time by `duration`, stopping at each deadline so that each sleeper wakes at its own time.
    public func advance(by duration: Duration) async {
        let target = now.advanced(by: duration)
        while let deadline = nextDeadline, deadline <= target {
            wake(at: deadline)
            await settle()
        }
        wake(at: target)
        await settle()
    }

    /// Advances time to `date`; does nothing if it has passed.
    public func advance(to date: Date) async {
        await advance(by: max(.zero, .seconds(date.timeIntervalSince(self.date))))
    }

    /// Advances time to the next deadline and wakes its sleepers.
    ///
    /// - Returns: false without sleepers.
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

    /// Lets woken tasks run, so that the next sleep they start is registered before time advances.
    ///
    /// On a busy machine a woken task may take a while to resume. A task that cannot, because its executor waits for the
    /// caller, delays time by about a second.
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
