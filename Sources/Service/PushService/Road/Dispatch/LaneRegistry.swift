import DequeModule
import Foundation
import PushModel
import Synchronization

/// The lanes at work and the number of devices that each has sent to; wakes the worker, or the dispatcher, for a new push.
package final class LaneRegistry: Sendable {
    private struct Worker {
        var wakeUp: LocalWorkSignal
        var isTrial: Bool
        var progressedAt: Date
    }

    private struct State {
        var workers: [Lane: Worker] = [:]
        var turns = LaneTurns()
        /// The destinations that are paused and have pushes which the dispatcher takes up at the end of the pause.
        var paused: Set<Destination> = []
        /// The latest messages withdrawn by their senders while lanes were at work, which may hold them in memory.
        var withdrawn: Set<MessageID> = []
        var withdrawals: Deque<MessageID> = []
        /// Until when lanes rest in which other nodes work and nothing was left for this one.
        var resting: [Lane: Date] = [:]
        /// Whether lanes wait for others to end their turn.
        var isCrowded = false

        /// Returns the ready lanes for which there is a slot, in the order of their turns.
        mutating func choose(_ ready: [WaitingLane], at now: Date) -> [WaitingLane] {
            var chosen: [WaitingLane] = []
            var tried = Set(workers.filter(\.value.isTrial).map(\.key.destination))
            isCrowded = false
            for delivery in [DeliveryClass.immediate, .bulk] {
                var free = freeSlots(for: delivery, at: now)
                for one in turns.order(ready.filter { $0.lane.delivery == delivery }) {
                    // Only one lane finds out whether a pause has ended.
                    if one.pausedUntil != nil, !tried.insert(one.lane.destination).inserted { continue }
                    guard free > 0 else {
                        isCrowded = true
                        break
                    }
                    free -= 1
                    chosen.append(one)
                }
            }
            return chosen
        }

        private func freeSlots(for delivery: DeliveryClass, at now: Date) -> Int {
            let workers = workers.filter { $0.key.delivery == delivery }
            let active = workers.values.count { abs(now.timeIntervalSince($0.progressedAt)) < LaneRegistry.patience }
            return min(LaneRegistry.slots - active, LaneRegistry.most - workers.count)
        }
    }

    /// The number of lanes of a class that work at a time, without those that get no answers.
    static let slots = 16
    /// The maximum number of lanes of a class that work at a time, including those without answers.
    private static let most = 256
    /// The number of withdrawals that lanes at work see immediately; they learn of earlier ones at their next checkpoint.
    private static let withdrawals = 10_000
    /// Seconds without an outcome after which a lane gives its slot to another.
    static let patience: TimeInterval = 1

    /// Seconds between two looks at a lane in which other nodes work.
    private static let rest: TimeInterval = 1

    let signal: any WorkSignal
    private let state = Mutex(State())

    init(signal: any WorkSignal) { self.signal = signal }

    var isCrowded: Bool { state.withLock { $0.isCrowded } }

    /// Returns the waiting lanes to start, in the order of their turns.
    ///
    /// Workers of lanes in which something has fallen due since `last` are woken.
    func assign(_ waiting: [WaitingLane], since last: Date, at now: Date) -> [WaitingLane] {
        state.withLock { state in
            state.turns.update(lanes: Set(waiting.map(\.lane)).union(state.workers.keys))
            for one in waiting where one.startsAt > last && one.startsAt <= now {
                state.workers[one.lane]?.wakeUp.raise()
            }
            state.resting = state.resting.filter { $0.value > now }
            let ready = waiting.filter { one in
                guard one.startsAt <= now, state.workers[one.lane] == nil else { return false }
                return !one.isShared || state.resting[one.lane] == nil
            }
            return state.choose(ready, at: now)
        }
    }

    /// Registers the worker of a lane.
    ///
    /// - Returns: a signal that is raised when there may be more to do in the lane.
    func begin(_ lane: Lane, isTrial: Bool, at now: Date) -> LocalWorkSignal {
        let wakeUp = LocalWorkSignal()
        state.withLock { $0.workers[lane] = Worker(wakeUp: wakeUp, isTrial: isTrial, progressedAt: now) }
        return wakeUp
    }

    /// Records that a lane has received outcomes for a number of devices.
    func progressed(_ lane: Lane, devices: Int, at now: Date) {
        state.withLock { state in
            state.turns.add(devices, to: lane)
            state.workers[lane]?.progressedAt = now
            state.workers[lane]?.isTrial = false
        }
    }

    /// Records that a worker has ended. A lane that rests is not taken up again for a second while other nodes work in it.
    func end(_ lane: Lane, rests: Bool, at now: Date) {
        state.withLock { state in
            state.workers[lane] = nil
            if rests { state.resting[lane] = now.addingTimeInterval(Self.rest) }
            if state.workers.isEmpty {
                state.withdrawn = []
                state.withdrawals = []
            }
        }
        signal.raise()
    }

    /// The messages that lanes at work must skip.
    var withdrawn: Set<MessageID> { state.withLock { $0.withdrawn } }

    /// Records that a message was withdrawn; in the store it is already finished.
    func withdraw(_ message: MessageID) {
        state.withLock { state in
            guard !state.workers.isEmpty, state.withdrawn.insert(message).inserted else { return }
            state.withdrawals.append(message)
            if state.withdrawals.count > Self.withdrawals, let oldest = state.withdrawals.popFirst() {
                state.withdrawn.remove(oldest)
            }
        }
    }

    /// The number of lanes at work.
    var count: Int { state.withLock { $0.workers.count } }

    func isBusy(_ lane: Lane) -> Bool { state.withLock { $0.workers[lane] != nil } }

    /// Replaces the recorded pauses with those of the waiting lanes that are paused at `now`.
    ///
    /// A lane in which nothing is due by the end of its pause does not count: the dispatcher sleeps longer than the pause, so an
    /// earlier push has to wake it.
    func setPaused(_ waiting: [WaitingLane], at now: Date) {
        let paused = waiting.lazy.filter { one in
            one.pausedUntil.map { $0 > now && one.dueAt <= $0 } == true
        }.map(\.lane.destination)
        state.withLock { $0.paused = Set(paused) }
    }

    /// Wakes all workers: other nodes may have accepted pushes in their lanes.
    func wakeAll() {
        for wakeUp in state.withLock({ $0.workers.values.map(\.wakeUp) }) { wakeUp.raise() }
    }

    /// Wakes the worker of a lane, or the dispatcher, for a push that is already stored.
    func wake(_ lane: Lane) {
        let woken = state.withLock { state -> (any WorkSignal)? in
            if let worker = state.workers[lane] { return worker.wakeUp }
            return state.paused.contains(lane.destination) ? nil : signal
        }
        woken?.raise()
    }
}

/// The order in which lanes take turns: first the one that has sent to the fewest devices since it last had nothing to do.
///
/// A returning lane starts at the count of the least served lane at work. No lane can save up turns, and neither the age nor the
/// number of its backlogs gives it an advantage.
struct LaneTurns {
    private var served: [Lane: Int] = [:]
    /// The lowest count at the last update.
    private var floor = 0

    /// Records the lanes that have something to do, and forgets all others.
    mutating func update(lanes: Set<Lane>) {
        served = served.filter { lanes.contains($0.key) }
        floor = served.values.min() ?? floor
        for lane in lanes where served[lane] == nil { served[lane] = floor }
    }

    /// Records that a lane has sent to a number of devices.
    mutating func add(_ devices: Int, to lane: Lane) { served[lane, default: floor] += devices }

    /// Returns the lanes in order, the next one first.
    func order(_ lanes: [WaitingLane]) -> [WaitingLane] {
        lanes.sorted { left, right in
            let first = served[left.lane] ?? floor
            let second = served[right.lane] ?? floor
            return first == second ? left.dueAt < right.dueAt : first < second
        }
    }
}
