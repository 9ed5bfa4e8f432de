import Synchronization

/// The number of changes by this process.
package final class ChangeCount: Sendable {
    private let changes = Atomic(0)

    package init() {}

    package var value: Int { changes.load(ordering: .acquiring) }

    /// Notes that something was created, changed or deleted, and is on disk.
    package func add() { changes.add(1, ordering: .releasing) }
}
