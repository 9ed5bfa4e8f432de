import Foundation
import Synchronization

/// What the dispatcher does in which lane just now, so that it is not woken for what it could not take up.
package final class LaneBoard: Sendable {
    private struct State {
        /// A delivery is under way: when it ends the dispatcher looks at what has come meanwhile.
        var busy: Set<Lane> = []
        /// Paused, with something waiting: the dispatcher looks at them every second in any case.
        var paused: Set<Lane> = []
    }

    let signal: any WorkSignal
    private let state = Mutex(State())

    init(signal: any WorkSignal) { self.signal = signal }

    var busy: Set<Lane> { state.withLock { $0.busy } }

    func begin(_ lane: Lane) { state.withLock { _ = $0.busy.insert(lane) } }

    func end(_ lane: Lane) {
        state.withLock { _ = $0.busy.remove(lane) }
        signal.raise()
    }

    /// Notes which of the lanes in which something waits are paused at `now`; those noted before are forgotten.
    func paused(in waiting: [WaitingLane], at now: Date) {
        let paused = Set(waiting.lazy.filter { $0.pausedUntil.map { $0 > now } == true }.map(\.lane))
        state.withLock { $0.paused = paused }
    }

    /// A push was accepted: it lies in the store already.
    func accepted(in lane: Lane) {
        let isQuiet = state.withLock { $0.busy.contains(lane) || $0.paused.contains(lane) }
        if !isQuiet { signal.raise() }
    }
}
