public import Foundation
import Synchronization

/// A clock that advances only on request.
///
/// Sleepers wake in the order of their deadlines; those with the same deadline wake in the order in which they went to sleep.
public final class VirtualClock: CivilClock {
    /// The time since the clock was created.
    public typealias Instant = ElapsedTime

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
        /// The next change to the list of sleepers; nil if nobody waits for it.
        var awaitedChange: Announcement<Void>?

        var nextDeadline: Instant? { sleepers.map(\.deadline).min() }

        mutating func awaitChange() -> Announcement<Void> {
            let change = awaitedChange ?? Announcement()
            awaitedChange = change
            return change
        }

        /// - Returns: the change, to be announced outside the lock.
        mutating func change() -> Announcement<Void>? { awaitedChange.take() }
    }

    private let start: Date
    private let state = Mutex(State())

    /// Creates a clock that shows 1 January 2026, 08:00 UTC by default.
    public init(date: Date = Date(timeIntervalSince1970: 1_767_254_400)) { start = date }

    /// The time that the clock was advanced by so far.
    public var now: Instant { state.withLock(\.now) }
    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }
    /// The initial date, advanced by ``now``.
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
            let (deadline, change) = state.withLock { ($0.nextDeadline, $0.awaitChange()) }
            if let deadline, fits(deadline) { return deadline }
            try await change.value
        }
    }

    /// Returns when the clock is advanced to `deadline`; at once if it has passed. Tolerance has no effect.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (outcome, change): (Result<Void, any Error>?, Announcement<Void>?) =
                    state.withLock { state in
                        if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), nil) }
                        if deadline <= state.now { return (.success(()), nil) }
                        state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                        return (nil, state.change())
                    }
                if let outcome { continuation.resume(with: outcome) }
                change?.make(.success(()))
            }
        } onCancel: {
            let (sleeper, change): (Sleeper?, Announcement<Void>?) = state.withLock { state in
                guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return (nil, nil)
                }
                return (state.sleepers.remove(at: place), state.change())
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            change?.make(.success(()))
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
        let (woken, change) = state.withLock { state in
            state.now = max(state.now, instant)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            state.woken.formUnion(due.map(\.id))
            return (due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }, state.change())
        }
        for sleeper in woken { sleeper.continuation.resume() }
        change?.make(.success(()))
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
