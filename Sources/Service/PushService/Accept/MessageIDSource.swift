package import PushModel
import Synchronization

/// Hands out message ids in rising order.
///
/// Ids come from the store in blocks, so that most pushes need no write for theirs and none is given out twice.
package final class MessageIDSource: Sendable {
    private struct Block {
        var next: Int64 = 0
        var end: Int64 = 0

        mutating func take(_ count: Int64) -> MessageID? {
            guard end - next >= count else { return nil }
            defer { next += count }
            return MessageID(next)
        }
    }

    private let store: any PushStore
    private let block = Mutex(Block())
    private static let size: Int64 = 1000

    package init(store: any PushStore) { self.store = store }

    /// The first of that many ids in a row, at most 1000.
    package func take(_ count: Int = 1) async throws -> MessageID {
        while true {
            if let id = block.withLock({ $0.take(Int64(count)) }) { return id }
            let first = try await store.reserveMessageIDs(Self.size)
            // Another call may have fetched a block meanwhile; its rest is given up, which only leaves a gap.
            block.withLock { $0 = Block(next: first.number, end: first.number + Self.size) }
        }
    }

    /// The first of that many ids in a row, if there are so many without asking the store.
    func takeAtOnce(_ count: Int = 1) -> MessageID? { block.withLock { $0.take(Int64(count)) } }
}
