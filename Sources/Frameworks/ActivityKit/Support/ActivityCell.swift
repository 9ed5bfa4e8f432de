import Synchronization
import SystemPort

/// One Live Activity as this process knows it, and its listeners.
final class ActivityCell: Sendable {
    private struct State {
        var record: LiveActivityRecord
        var listeners: [Int: @Sendable (_ old: LiveActivityRecord, _ new: LiveActivityRecord) -> Void] = [:]
        var lastNumber = 0
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
            for listener in state.listeners.values { listener(old, record) }
        }
    }

    /// Returns the values of a property from now on, or from the current one, whenever it changes, until the activity is dismissed.
    func changes<Value: Equatable & Sendable>(
        includingCurrent: Bool = false,
        of property: @escaping @Sendable (LiveActivityRecord) -> Value
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        let number = state.withLock { state -> Int? in
            if includingCurrent { continuation.yield(property(state.record)) }
            guard state.record.state != .dismissed else { return nil }
            state.lastNumber += 1
            state.listeners[state.lastNumber] = { old, new in
                if property(old) != property(new) { continuation.yield(property(new)) }
                if new.state == .dismissed { continuation.finish() }
            }
            return state.lastNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] reason in
            // After the end of the activity nobody is told any more.
            guard case .cancelled = reason else { return }
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }
}
