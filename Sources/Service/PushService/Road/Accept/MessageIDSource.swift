package import Foundation
package import PushModel

/// Hands out message ids in ascending order.
///
/// Ids come from the store in blocks, so that most pushes need no write for their id and no id is given out twice.
package final class MessageIDSource: Sendable {
    private let store: any AcceptStore
    private let floor: MessageID
    private let block = NumberBlock()
    /// The size of a block. Pushes that find none wait for the store, so it has to be rare.
    private static let size: Int64 = 10_000
    /// Sixteen digits, like the ids that client code has seen, and exact as a JavaScript number until the year 2183.
    private static let first: Int64 = 1 << 51

    /// Creates a source whose ids continue from the service's start time in microseconds.
    ///
    /// They are greater than all earlier ids, even after a restore from an older backup: gateways and devices drop pushes with an
    /// id that they have seen. No service accepts a million pushes in a second.
    package init(store: any AcceptStore, start: Date) {
        self.store = store
        floor = MessageID(Self.first + Int64(max(0, start.timeIntervalSince1970) * 1_000_000))
    }

    /// Takes `count` consecutive ids, at most 1000, and returns the first.
    package func take(_ count: Int = 1) async throws -> MessageID {
        let first = try await block.take(Int64(count)) {
            let first = try await store.reserveMessageIDs(Self.size, notBefore: floor).number
            return first..<first + Self.size
        }
        return MessageID(first)
    }

    /// Takes an id; nil if that requires a call to the store.
    func takeAtOnce() -> MessageID? { block.takeAtOnce(1).map { MessageID($0) } }
}
