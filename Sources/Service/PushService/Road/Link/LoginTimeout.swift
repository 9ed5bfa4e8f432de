import DeviceLink
import PushClock
import Synchronization

/// Closes links that do not log in: each costs memory and a file descriptor, and anyone can open thousands.
///
/// Unauthenticated links are kept in two generations. After each interval the older generation is closed, so a link waits between
/// one interval and two. No link needs its own timer.
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

    /// Creates the timeout, with the minimum time that a link has to log in.
    init(clock: any CivilClock, turn: Duration) {
        self.clock = clock
        self.turn = turn
    }

    /// Adds a link that was opened.
    func add(_ session: SDKLinkSession) {
        let isFirst = state.withLock { state in
            defer { state.younger.append(session) }
            return state.isEmpty
        }
        if isFirst { signal.raise() }
    }

    /// Runs until it is cancelled.
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
            defer {
                state.older = state.younger
                state.younger = []
            }
            return state.older
        }
        var busy: [SDKLinkSession] = []
        for session in late {
            switch session.unauthenticated {
            case .idle: session.connection.close()
            // It may be logging in: when thousands connect at once, that takes a while.
            case .busy: busy.append(session)
            case nil: break
            }
        }
        state.withLock { $0.younger += busy }
    }
}
