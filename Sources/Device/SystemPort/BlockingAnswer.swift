import Dispatch
import Synchronization

/// A value that one thread waits for and another one gives: a blocking wait, for threads whose work nothing else needs.
package final class BlockingAnswer<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    private let arrived = DispatchSemaphore(value: 0)

    /// - Parameter value: the value as long as nobody gives another.
    package init(_ value: Value) { self.value = Mutex(value) }

    /// Gives the value, once.
    package func settle(_ value: Value) {
        self.value.withLock { $0 = value }
        arrived.signal()
    }

    /// Waits until the value is given.
    package func wait() -> Value {
        arrived.wait()
        return value.withLock(\.self)
    }
}
