import Foundation

/// A value behind a lock.
///
/// `@unchecked Sendable`: the value is read and changed under the lock only. `Synchronization.Mutex` needs iOS 18.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Guarded<Bool> {
    /// Sets the value, and returns whether it was not set before.
    func isFirst() -> Bool {
        with { isSet in
            defer { isSet = true }
            return !isSet
        }
    }
}
