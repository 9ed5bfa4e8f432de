import APNSTransport
import PushModel
import Synchronization

/// The open provider connections.
final class ProviderSessions: Sendable {
    private struct State {
        var sessions: [Int: ProviderSession] = [:]
        var next = 1
    }

    private let state = Mutex(State())

    /// The sessions in the order in which they were opened.
    var sessions: [ProviderSession] {
        state.withLock { $0.sessions.values.sorted { $0.number < $1.number } }
    }

    func session(_ number: Int) -> ProviderSession? { state.withLock { $0.sessions[number] } }

    func add(_ make: (Int) -> ProviderSession) -> ProviderSession {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        let session = make(number)
        state.withLock { $0.sessions[number] = session }
        return session
    }

    func remove(_ number: Int) { state.withLock { _ = $0.sessions.removeValue(forKey: number) } }
}
