package import PushModel

/// Hands out message ids in rising order.
///
/// Ids come from the store in blocks, so that most pushes need no write for theirs and none is given out twice.
package actor MessageIDSource {
    private let store: any PushStore
    private var next: Int64 = 0
    private var end: Int64 = 0
    private static let block: Int64 = 1000

    package init(store: any PushStore) { self.store = store }

    package func take() async throws -> MessageID { try await take(1) }

    /// The first of that many ids in a row, at most 1000.
    package func take(_ count: Int) async throws -> MessageID {
        while end - next < Int64(count) {
            let first = try await store.reserveMessageIDs(Self.block)
            // Another call may have fetched a block meanwhile; its rest is given up, which only leaves a gap.
            next = first.number
            end = first.number + Self.block
        }
        defer { next += Int64(count) }
        return MessageID(next)
    }
}
