import Synchronization

/// What the chunks of a lease, delivered side by side, have found out about their lane.
package final class LeaseProgress: Sendable {
    enum Trouble: Hashable { case credential, connection }

    private struct State {
        var isTrial: Bool
        var told: Set<Trouble> = []
    }

    private let state: Mutex<State>

    init(_ lease: Lease) { state = Mutex(State(isTrial: lease.isTrial)) }

    /// A push was taken. Whether that ends a pause: once, if the lane was paused.
    func succeeded() -> Bool {
        state.withLock { state in
            defer { state.isTrial = false }
            return state.isTrial
        }
    }

    /// Whether a trouble is worth a line in the log: hundreds of chunks may have the same one.
    func isFirst(_ trouble: Trouble) -> Bool { state.withLock { $0.told.insert(trouble).inserted } }
}
