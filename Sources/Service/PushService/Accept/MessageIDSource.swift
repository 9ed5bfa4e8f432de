package import Foundation
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
    private let floor: MessageID
    private let block = Mutex(Block())
    private static let size: Int64 = 1000
    /// Sixteen digits, as those that client code has met, and exact as a number of JavaScript until the year 2183.
    private static let first: Int64 = 1 << 51

    /// - `start`: when the service starts. Its ids go on at that time, in microseconds, above all that were given before, also
    ///   where it was restored from an older backup: gateways and devices drop what has an id that they have seen. No service
    ///   accepts as many pushes in a second.
    package init(store: any PushStore, start: Date) {
        self.store = store
        floor = MessageID(Self.first + Int64(max(0, start.timeIntervalSince1970) * 1_000_000))
    }

    /// The first of that many ids in a row, at most 1000.
    package func take(_ count: Int = 1) async throws -> MessageID {
        while true {
            if let id = block.withLock({ $0.take(Int64(count)) }) { return id }
            let first = try await store.reserveMessageIDs(Self.size, notBefore: floor)
            // Another call may have fetched a block meanwhile; its rest is given up, which only leaves a gap.
            block.withLock { $0 = Block(next: first.number, end: first.number + Self.size) }
        }
    }

    /// The first of that many ids in a row, if there are so many without asking the store.
    func takeAtOnce(_ count: Int = 1) -> MessageID? { block.withLock { $0.take(Int64(count)) } }
}
