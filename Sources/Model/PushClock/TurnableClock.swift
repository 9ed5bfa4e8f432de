public import Foundation
import Synchronization

/// The machine's own time, which a person may advance; sleepers that become due wake at once.
///
/// A clock may follow another one: it shows the same time and takes part in its turns. Its own turns move it further ahead.
public final class TurnableClock: CivilClock {
    /// The time since the clock was created, or the first of those it follows, including time skipped.
    public typealias Instant = ElapsedTime

    private struct State {
        var turned = Duration.zero
        var nextID = 0
        var deadlines: [Int: Instant] = [:]
        /// The next turn; nil if nobody waits for it.
        var awaitedTurn: Announcement<Void>?
        var followers: [Follower] = []

        mutating func awaitTurn() -> Announcement<Void> {
            let turn = awaitedTurn ?? Announcement()
            awaitedTurn = turn
            return turn
        }
    }

    private struct Follower {
        weak var clock: TurnableClock?
    }

    private let startInstant: ContinuousClock.Instant
    private let startDate: Date
    private let state = Mutex(State())

    /// Creates a clock that starts at the system's time.
    public init() {
        startInstant = ContinuousClock.now
        startDate = Date()
    }

    /// Creates a clock that shows the time of another one and is turned with it.
    public init(following leader: TurnableClock) {
        startInstant = leader.startInstant
        startDate = leader.startDate
        let turned = leader.state.withLock { state in
            state.followers.removeAll { $0.clock == nil }
            state.followers.append(Follower(clock: self))
            return state.turned
        }
        // A turn of the leader since then has been added already.
        state.withLock { $0.turned += turned }
    }

    /// The elapsed time of the machine and all that was skipped.
    public var now: Instant {
        let elapsed = ContinuousClock.now - startInstant
        return state.withLock { Instant(offset: elapsed + $0.turned) }
    }

    /// The smallest step of the machine's clock.
    public var minimumResolution: Duration { ContinuousClock().minimumResolution }
    /// The date at the clock's creation, advanced by ``now``.
    public var date: Date { startDate.addingTimeInterval(now.offset / .seconds(1)) }

    /// The next deadline; nil without sleepers.
    public var nextDeadline: Instant? { state.withLock { $0.deadlines.values.min() } }

    /// The time skipped by all turns.
    public var turned: Duration { state.withLock { $0.turned } }

    /// Advances the clock and those that follow it.
    public func turn(by duration: Duration) {
        let (turn, followers) = state.withLock { state in
            state.turned += max(.zero, duration)
            return (state.awaitedTurn.take(), state.followers.compactMap(\.clock))
        }
        turn?.make(.success(()))
        for follower in followers { follower.turn(by: duration) }
    }

    /// Advances the clock to the next deadline.
    ///
    /// - Returns: the time skipped; nil without sleepers.
    @discardableResult
    public func turnToNextDeadline() -> Duration? {
        guard let deadline = nextDeadline else { return nil }
        let rest = max(.zero, now.duration(to: deadline))
        turn(by: rest)
        return rest
    }

    /// Returns at `deadline`, or as soon as the clock is turned past it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            state.deadlines[state.nextID] = deadline
            return state.nextID
        }
        defer { state.withLock { _ = $0.deadlines.removeValue(forKey: id) } }
        while true {
            try Task.checkCancellation()
            let turn = state.withLock { $0.awaitTurn() }
            let rest = now.duration(to: deadline)
            guard rest > .zero else { return }
            _ = try await withTimeout(rest, tolerance: tolerance) { try await turn.value }
        }
    }
}
