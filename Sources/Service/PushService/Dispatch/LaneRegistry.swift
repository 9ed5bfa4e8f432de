import DequeModule
import Foundation
import PushModel
import Synchronization

/// Which lanes are at work, and how many devices each has sent to; what a new push has to wake.
package final class LaneRegistry: Sendable {
    private struct Worker {
        var news: LocalWorkSignal
        var isTrial: Bool
        var progressedAt: Date
    }

    private struct State {
        var workers: [Lane: Worker] = [:]
        var turns = LaneTurns()
        /// Paused, with something waiting: the dispatcher looks at them every second in any case.
        var paused: Set<Destination> = []
        /// Taken back by their senders while lanes were at work, which may have them at hand: the newest of them.
        var withdrawn: Set<MessageID> = []
        var withdrawals: Deque<MessageID> = []
        /// Lanes wait for others to end their turn.
        var isCrowded = false

        /// Those of the lanes that are ready for which there is a place, in the order of their turns.
        mutating func choose(_ ready: [WaitingLane], at now: Date) -> [WaitingLane] {
            var chosen: [WaitingLane] = []
            var tried = Set(workers.filter(\.value.isTrial).map(\.key.destination))
            isCrowded = false
            for delivery in [DeliveryClass.immediate, .bulk] {
                var places = places(for: delivery, at: now)
                for one in turns.order(ready.filter { $0.lane.delivery == delivery }) {
                    // One lane alone finds out whether a pause is over.
                    if one.pausedUntil != nil, !tried.insert(one.lane.destination).inserted { continue }
                    guard places > 0 else {
                        isCrowded = true
                        break
                    }
                    places -= 1
                    chosen.append(one)
                }
            }
            return chosen
        }

        private func places(for delivery: DeliveryClass, at now: Date) -> Int {
            let workers = workers.filter { $0.key.delivery == delivery }
            let active = workers.values.count { abs(now.timeIntervalSince($0.progressedAt)) < LaneRegistry.patience }
            return min(LaneRegistry.places - active, LaneRegistry.most - workers.count)
        }
    }

    /// Lanes of a class that work at one time; those that get no answers are not counted.
    static let places = 16
    /// Lanes of a class that may work at one time, those without answers among them.
    private static let most = 256
    /// Withdrawals that lanes at work hear of at once; of those before they hear with their next checkpoint.
    private static let withdrawals = 10_000
    /// Seconds without an outcome after which a lane gives its place to another.
    static let patience: TimeInterval = 1

    let signal: any WorkSignal
    private let state = Mutex(State())

    init(signal: any WorkSignal) { self.signal = signal }

    var isCrowded: Bool { state.withLock { $0.isCrowded } }

    /// The lanes to begin with, of those in which something waits, in the order of their turns.
    ///
    /// Lanes at work for which something has fallen due are told.
    func assign(_ waiting: [WaitingLane], since last: Date, at now: Date) -> [WaitingLane] {
        state.withLock { state in
            state.turns.look(at: Set(waiting.map(\.lane)).union(state.workers.keys))
            for one in waiting where one.startsAt > last && one.startsAt <= now {
                state.workers[one.lane]?.news.raise()
            }
            return state.choose(waiting.filter { $0.startsAt <= now && state.workers[$0.lane] == nil }, at: now)
        }
    }

    /// - Returns: raised when there may be more to do in the lane.
    func begin(_ lane: Lane, isTrial: Bool, at now: Date) -> LocalWorkSignal {
        let news = LocalWorkSignal()
        state.withLock { $0.workers[lane] = Worker(news: news, isTrial: isTrial, progressedAt: now) }
        return news
    }

    /// A lane has had outcomes for so many devices.
    func progressed(_ lane: Lane, devices: Int, at now: Date) {
        state.withLock { state in
            state.turns.add(devices, to: lane)
            state.workers[lane]?.progressedAt = now
            state.workers[lane]?.isTrial = false
        }
    }

    func end(_ lane: Lane) {
        state.withLock { state in
            state.workers[lane] = nil
            if state.workers.isEmpty { (state.withdrawn, state.withdrawals) = ([], []) }
        }
        signal.raise()
    }

    /// Messages that lanes at work are to leave out.
    var withdrawn: Set<MessageID> { state.withLock { $0.withdrawn } }

    /// A message was taken back: in the store it is over.
    func withdraw(_ message: MessageID) {
        state.withLock { state in
            guard !state.workers.isEmpty, state.withdrawn.insert(message).inserted else { return }
            state.withdrawals.append(message)
            if state.withdrawals.count > Self.withdrawals, let oldest = state.withdrawals.popFirst() {
                state.withdrawn.remove(oldest)
            }
        }
    }

    func isBusy(_ lane: Lane) -> Bool { state.withLock { $0.workers[lane] != nil } }

    /// Notes which of the lanes in which something waits are paused at `now`; those noted before are forgotten.
    func paused(in waiting: [WaitingLane], at now: Date) {
        let paused = waiting.lazy.filter { $0.pausedUntil.map { $0 > now } == true }.map(\.lane.destination)
        state.withLock { $0.paused = Set(paused) }
    }

    /// A push was accepted: it lies in the store already.
    func accepted(in lane: Lane) {
        let woken = state.withLock { state -> (any WorkSignal)? in
            if let worker = state.workers[lane] { return worker.news }
            return state.paused.contains(lane.destination) ? nil : signal
        }
        woken?.raise()
    }
}
