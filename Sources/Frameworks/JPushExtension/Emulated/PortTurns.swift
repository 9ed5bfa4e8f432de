import PosthornClient
import PushClock
import Synchronization
import SystemPort

/// The clock and the turns of an emulated app: waits are on the clock of the phone, which tests await. They share an alarm, which stays when
/// its wait is cancelled: most calls are answered long before they would be given up.
final class PortTurns: ClientClock, ClientExecutor {
    private struct Wait {
        let due: Duration
        let ring: @Sendable () -> Void
    }

    private struct State {
        var lastNumber = 0
        /// By their numbers, which follow the order in which they were set.
        var waits: [Int: Wait] = [:] { didSet { if waits.isEmpty { owner = nil } } }
        /// Set while there are waits, which outlive whoever has set them.
        var owner: PortTurns?
        /// The next moment at which the alarm rings; nil if none is set.
        var due: Duration?
        var alarm: Alarm?

        mutating func takeDue(at now: Duration) -> [Wait] {
            let due = waits.filter { $0.value.due <= now }
            for number in due.keys { waits[number] = nil }
            return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.map(\.value)
        }
    }

    private let port: PortReference
    /// The time since the process has started.
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    init(port: PortReference) {
        self.port = port
        let clock: any CivilClock = port.port?.clock ?? SystemClock()
        elapsed = clock.stopwatch()
    }

    deinit { state.withLock(\.alarm)?.cancel() }

    func timer(after milliseconds: Int, _ ring: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let due = elapsed() + .milliseconds(milliseconds)
        let (number, isFirst) = state.withLock { state in
            state.lastNumber += 1
            state.waits[state.lastNumber] = Wait(due: due, ring: ring)
            state.owner = self
            let isFirst = state.due.map { due < $0 } ?? true
            if isFirst { state.due = due }
            return (state.lastNumber, isFirst)
        }
        if isFirst { setAlarm(at: due) }
        return { [weak self] in self?.state.withLock { $0.waits[number] = nil } }
    }

    private func setAlarm(at due: Duration) {
        guard let port = port.port else { return }
        let alarm = AppWork.of(port).alarm(after: due - elapsed(), on: port.clock) { [weak self] in self?.ring() }
        let old = state.withLock { state in
            // Another one may be earlier by now.
            guard state.due == due else { return Optional(alarm) }
            defer { state.alarm = alarm }
            return state.alarm
        }
        old?.cancel()
    }

    private func ring() {
        let now = elapsed()
        let (waits, next) = state.withLock { state in
            let waits = state.takeDue(at: now)
            state.due = state.waits.values.map(\.due).min()
            return (waits, state.due)
        }
        for wait in waits { wait.ring() }
        if let next { setAlarm(at: next) }
    }

    /// Nothing happens but in the turn of a call, a frame or an alarm.
    func run(_ work: @escaping @Sendable () -> Void) { work() }

    /// Never where the device has answered: it may be busy with others, and the app's observers may call it.
    func resume(_ work: @escaping @Sendable () -> Void) { port.onMain(work) }
}
