public import Foundation
import Synchronization

/// The machine's own time, which a person may advance; sleepers that become due wake at once.
public final class TurnableClock: CivilClock {
    /// The time since the clock was created, including time skipped.
    public struct Instant: InstantProtocol {
        public typealias Duration = Swift.Duration
        var offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var turned = Duration.zero
        var nextID = 0
        var deadlines: [Int: Instant] = [:]
        /// The next turn; nil if nobody waits for it.
        var awaitedTurn: Announcement<Void>?

        mutating func awaitTurn() -> Announcement<Void> {
            let turn = awaitedTurn ?? Announcement()
            awaitedTurn = turn
            return turn
        }
    }

    private let startInstant = ContinuousClock.now
    private let startDate = Date()
    private let state = Mutex(State())

    /// Creates a clock that starts at the system's time.
    public init() {}

    public var now: Instant {
        let elapsed = ContinuousClock.now - startInstant
        return state.withLock { Instant(offset: elapsed + $0.turned) }
    }

    public var minimumResolution: Duration { ContinuousClock().minimumResolution }
    public var date: Date { startDate.addingTimeInterval(now.offset / .seconds(1)) }

    /// The next deadline; nil without sleepers.
    public var nextDeadline: Instant? { state.withLock { $0.deadlines.values.min() } }

    /// Advances the clock.
    public func turn(by duration: Duration) {
        let turn = state.withLock { state in
            state.turned += max(.zero, duration)
            return state.awaitedTurn.take()
        }
        turn?.make(.success(()))
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
