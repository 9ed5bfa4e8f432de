import Synchronization

/// A setting that can change while the service runs.
package final class Adjustable<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    package init(_ value: Value) { state = Mutex(value) }

    package var value: Value {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}
