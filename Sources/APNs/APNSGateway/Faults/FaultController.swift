import Foundation
import PushClock
import PushModel
import Synchronization

/// Holds the faults that are set, and the requests that wait because of them.
///
/// While no fault is set, a request costs one read of ``isBusy`` and nothing else.
final class FaultController: Sendable {
    /// A request that is held back.
    private struct Held {
        var connection: Int
        /// The date when it is released; nil: when the fault ends or is lifted.
        var date: Date?
        var fault: Int?
        var goOn: @Sendable () -> Void

        /// Whether the request can proceed, given the ids of the faults that are still set.
        func isFree(at now: Date, _ set: Set<Int>) -> Bool {
            if let date, date <= now { return true }
            return fault.map { !set.contains($0) } ?? false
        }
    }

    private struct State {
        var faults = ActiveFaults()
        var held: [Held] = []
        /// Connections that no longer answer new streams since a GOAWAY.
        var ended: Set<Int> = []
        var scripts: [RunningScript] = []
        var seeds: SplitMix
        var wakesAt: Date?

        var isBusy: Bool { !faults.faults.isEmpty || !ended.isEmpty }

        /// Draws a seed that every JSON library reads exactly.
        mutating func drawSeed() -> UInt64 { seeds.next() % UInt64(FaultScript.seeds.upperBound) }

        mutating func takeFree(at now: Date) -> [Held] {
            guard !held.isEmpty else { return [] }
            let set = Set(faults.faults.map(\.id))
            let free = held.filter { $0.isFree(at: now, set) }
            held.removeAll { $0.isFree(at: now, set) }
            return free
        }
    }

    /// The number of scripts that are remembered.
    private static let scripts = 100

    private let clock: any CivilClock
    private let busy = Atomic(false)
    private let state: Mutex<State>
    private let keeper = DateKeeper()

    init(clock: any CivilClock, seed: UInt64) {
        self.clock = clock
        state = Mutex(State(seeds: SplitMix(seed: seed)))
    }

    /// Whether requests have to ask for a decision.
    var isBusy: Bool { busy.load(ordering: .relaxed) }

    // MARK: - Setting and lifting

    var faults: [ActiveFault] {
        change { state, now in
            state.faults.tidy(at: now)
            return state.faults.faults
        }
    }

    var scripts: [RunningScript] { state.withLock(\.scripts) }

    func log(after number: Int) -> [FaultRecord] { state.withLock { $0.faults.log.filter { $0.number > number } } }

    func add(_ fault: Fault, seed: UInt64?) -> ActiveFault {
        defer { keeper.wake() }
        return change { state, _ in state.faults.add(fault, seed: seed ?? state.drawSeed(), at: clock.date) }
    }

    func run(_ script: FaultScript) -> RunningScript {
        defer { keeper.wake() }
        return change { state, _ in
            let running = state.faults.run(script.faults, seed: script.seed ?? state.drawSeed(), at: clock.date)
            if state.scripts.count >= Self.scripts { state.scripts.removeFirst() }
            state.scripts.append(running)
            return running
        }
    }

    /// - Returns: the number of lifted faults.
    func lift(where isMeant: (ActiveFault) -> Bool) -> Int {
        defer { release() }
        return change { state, _ in state.faults.lift(where: isMeant) }
    }

    /// Lifts the faults of a script, and removes it.
    func forget(script id: Int) -> Bool {
        defer { release() }
        return change { state, _ in
            let before = state.scripts.count
            state.scripts.removeAll { $0.id == id }
            _ = state.faults.lift { $0.script == id }
            return state.scripts.count < before
        }
    }

    // MARK: - Asking

    func decide(_ request: FaultRequest) -> FaultDecision {
        change { state, now in state.faults.decide(request, at: now) }
    }

    func deliver(_ delivery: FaultDelivery) -> FaultyDelivery {
        change { state, now in state.faults.deliver(delivery, at: now) }
    }

    func streamLimit(_ environment: APNSEnvironment, connection: Int) -> Int? {
        let now = date
        return state.withLock { $0.faults.streamLimit(environment, connection: connection, at: now) }
    }

    /// The smallest number of provider tokens that a fault allows a key; nil if there is none.
    func providerTokenLimit(_ environment: APNSEnvironment) -> Int? {
        guard isBusy else { return nil }
        let now = date
        return state.withLock { $0.faults.providerTokenLimit(environment, at: now) }
    }

    // MARK: - Connections

    /// Holds a request back for the time in the decision.
    ///
    /// If the fault was lifted or has ended since the decision, the request proceeds at once.
    func hold(_ decision: FaultDecision, connection: Int, goOn: @escaping @Sendable () -> Void) {
        let isOpenEnded = decision.stall.map { $0.seconds == nil } ?? false
        let seconds = decision.delay + (decision.stall?.seconds ?? 0)
        let (isFree, isEarlier) = change { state, now in
            state.faults.tidy(at: now)
            let end = isOpenEnded ? nil : clock.date.addingTimeInterval(seconds)
            let held = Held(connection: connection, date: end, fault: decision.stall?.fault, goOn: goOn)
            if held.isFree(at: now, Set(state.faults.faults.map(\.id))) { return (true, false) }
            state.held.append(held)
            return (false, end.map { end in state.wakesAt.map { end < $0 } ?? true } ?? false)
        }
        if isFree { goOn() }
        if isEarlier { keeper.wake() }
    }

    /// Makes the connection ask for a decision on each stream from now on, even if no fault is set.
    func end(connection: Int) { change { state, _ in _ = state.ended.insert(connection) } }

    /// Discards the requests that are held back on a connection, since nobody would get the answer.
    func close(connection: Int) {
        change { state, _ in
            state.held.removeAll { $0.connection == connection }
            state.ended.remove(connection)
        }
    }

    // MARK: - Time

    /// Releases requests when their time has passed, and calls `tick` when a fault begins or ends, until the task is cancelled.
    /// Must be called once.
    func run(tick: @escaping @Sendable () -> Void) async {
        await keeper.run(on: clock) {
            change { state, now in state.faults.tidy(at: now) }
            release()
            tick()
            return nextMoment()
        }
    }

    private func nextMoment() -> Date? {
        let now = date
        return state.withLock { state in
            let moments = state.held.map(\.date) + [state.faults.nextMoment(after: now)]
            state.wakesAt = moments.compactMap(\.self).min()
            return state.wakesAt
        }
    }

    /// The current date, rounded up slightly: a clock with fractions may stop just before a date.
    private var date: Date { clock.date.addingTimeInterval(0.001) }

    /// Releases requests outside the lock, so that they can call back in.
    private func release() {
        let now = date
        for held in state.withLock({ $0.takeFree(at: now) }) { held.goOn() }
    }

    private func change<Result>(_ body: (inout State, Date) -> Result) -> Result {
        let now = date
        return state.withLock { state in
            defer { busy.store(state.isBusy, ordering: .relaxed) }
            return body(&state, now)
        }
    }
}
