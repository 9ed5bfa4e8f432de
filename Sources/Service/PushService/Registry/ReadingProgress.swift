import Synchronization

/// The progress of the registry, which reads all devices at start.
package final class ReadingProgress: Sendable {
    private let readCount = Atomic(0)
    private let allCount = Atomic(0)

    package init() {}

    /// The number of devices that were read.
    package var read: Int { readCount.load(ordering: .relaxed) }

    /// About the number of devices to read; those that were deleted count, too. 0 before it is known.
    package var all: Int { allCount.load(ordering: .relaxed) }

    func begin(_ count: Int) { allCount.store(count, ordering: .relaxed) }

    func add(_ count: Int) { readCount.add(count, ordering: .relaxed) }
}
