import Foundation
import PushModel
import Synchronization

/// Which lanes are at work, and how many devices each has sent to; what a new push has to wake.
package final class LaneBoard: Sendable {
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
        /// Taken back by their senders while lanes were at work, which may have them at hand.
        var withdrawn: Set<MessageID> = []
        /// Lanes wait for others to end their turn.
        var isCrowded = false
    }

    /// Lanes of a class that work at one time; those that get no answers are not counted.
    static let places = 16
    /// Lanes of a class that may work at one time, those without answers among them.
    private static let most = 256
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
            let ready = waiting.filter { $0.startsAt <= now && state.workers[$0.lane] == nil }
            var chosen: [WaitingLane] = []
            var tried = Set(state.workers.filter(\.value.isTrial).map(\.key.destination))
            state.isCrowded = false
            for delivery in [DeliveryClass.immediate, .bulk] {
                let workers = state.workers.filter { $0.key.delivery == delivery }
                let active = workers.values.count { abs(now.timeIntervalSince($0.progressedAt)) < Self.patience }
                var places = min(Self.places - active, Self.most - workers.count)
                for one in state.turns.order(ready.filter { $0.lane.delivery == delivery }) {
                    // One lane alone finds out whether a pause is over.
                    if one.pausedUntil != nil, !tried.insert(one.lane.destination).inserted { continue }
                    guard places > 0 else {
                        state.isCrowded = true
                        break
                    }
                    places -= 1
                    chosen.append(one)
                }
            }
            return chosen
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
            if state.workers.isEmpty { state.withdrawn = [] }
        }
        signal.raise()
    }

    /// Messages that lanes at work are to leave out.
    var withdrawn: Set<MessageID> { state.withLock { $0.withdrawn } }

    /// A message was taken back: in the store it is over.
    func withdraw(_ message: MessageID) {
        state.withLock { state in
            if !state.workers.isEmpty { state.withdrawn.insert(message) }
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
