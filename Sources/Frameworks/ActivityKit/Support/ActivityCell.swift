import Synchronization
import SystemPort

/// One Live Activity as this process knows it, and its listeners.
final class ActivityCell: Sendable {
    private struct State {
        var record: LiveActivityRecord
        /// Each returns false if it does not listen any more.
        var listeners: [@Sendable (_ old: LiveActivityRecord, _ new: LiveActivityRecord) -> Bool] = []
    }

    private let state: Mutex<State>

    init(_ record: LiveActivityRecord) { state = Mutex(State(record: record)) }

    var record: LiveActivityRecord { state.withLock(\.record) }

    /// Takes a newer version of the activity; an older one is ignored, as answers and events may overtake one another.
    func set(_ record: LiveActivityRecord) {
        // The listeners are called under the lock, so that each hears of the changes in their order; they only fill streams.
        state.withLock { state in
            guard record.version > state.record.version else { return }
            let old = state.record
            state.record = record
            state.listeners.removeAll { !$0(old, record) }
        }
    }

    /// Returns the values of a property from now on, or from the current one, whenever it changes, until the activity is dismissed.
    func changes<Value: Equatable & Sendable>(
        includingCurrent: Bool = false,
        of property: @escaping @Sendable (LiveActivityRecord) -> Value
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        state.withLock { state in
            if includingCurrent { continuation.yield(property(state.record)) }
            if state.record.state == .dismissed { return continuation.finish() }
            state.listeners.append { old, new in
                if property(old) != property(new), case .terminated = continuation.yield(property(new)) { return false }
                if new.state == .dismissed { continuation.finish() }
                return new.state != .dismissed
            }
        }
        return stream
    }
}
