import Synchronization

/// Counts calls from any task.
package final class Counter: Sendable {
    private let count = Mutex(0)

    package init() {}

    package var value: Int { count.withLock(\.self) }

    /// Counts a call.
    ///
    /// - Returns: the number of calls so far, 1 for the first.
    @discardableResult
    package func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}
