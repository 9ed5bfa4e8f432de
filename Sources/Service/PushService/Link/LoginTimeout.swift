import DeviceLink
import PushClock
import Synchronization

/// Closes links on which nobody says who is there: each costs memory and a file, and anybody can open thousands.
///
/// Links of strangers stand in two lines. Whoever is still a stranger when the older line has stood there for a whole turn is
/// sent away, so the wait is between one turn and two: no timer for each link.
final class LoginTimeout: Sendable {
    private struct State {
        var younger: [SDKLinkSession] = []
        var older: [SDKLinkSession] = []
        var isEmpty: Bool { younger.isEmpty && older.isEmpty }
    }

    private let clock: any CivilClock
    private let turn: Duration
    private let state = Mutex(State())
    private let signal = LocalWorkSignal()

    /// * `turn`: how long a link may take to its login at least.
    init(clock: any CivilClock, turn: Duration) {
        self.clock = clock
        self.turn = turn
    }

    /// A link was opened.
    func add(_ session: SDKLinkSession) {
        let isFirst = state.withLock { state in
            defer { state.younger.append(session) }
            return state.isEmpty
        }
        if isFirst { signal.raise() }
    }

    /// Until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            if state.withLock({ $0.isEmpty }) {
                await signal.wait()
            } else if (try? await clock.sleep(for: turn)) != nil {
                endTurn()
            }
        }
    }

    private func endTurn() {
        let late = state.withLock { state in
            defer { (state.older, state.younger) = (state.younger, []) }
            return state.older
        }
        var busy: [SDKLinkSession] = []
        for session in late {
            switch session.stranger {
            case .idle: session.connection.close()
            // May be on its way in: when thousands come at once, that takes a while.
            case .busy: busy.append(session)
            case nil: break
            }
        }
        state.withLock { $0.younger += busy }
    }
}
