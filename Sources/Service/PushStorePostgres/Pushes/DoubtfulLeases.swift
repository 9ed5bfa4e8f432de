import PostgresClient
import PushModel
import PushService
import PushStoreSQL
import Synchronization

/// Leases of which nobody knows whether they were committed, because the connection was lost during the commit.
///
/// The node does not work on their chunks. If they were committed, nobody else does either, as the node's membership goes on: so they are
/// released before the node looks for work again.
final class DoubtfulLeases: Sendable {
    private struct Entry: Hashable {
        var id: Chunk.ID
        var fence: Int64
        var owner: LeaseOwner
    }

    /// The chunks of one attempt.
    final class Attempt: Sendable {
        fileprivate let chunks = Mutex<[(id: Chunk.ID, fence: Int64)]>([])

        /// Notes what the transaction leases. A transaction that runs again after a conflict notes it again.
        func note(_ lease: Lease?) { chunks.withLock { $0 = lease?.items.map { ($0.chunk.id, $0.chunk.fence) } ?? [] } }
    }

    private let entries = Mutex<Set<Entry>>([])

    /// Records an attempt with an unknown outcome.
    func add(_ attempt: Attempt, of owner: LeaseOwner) {
        let chunks = attempt.chunks.withLock { $0 }
        entries.withLock { $0.formUnion(chunks.map { Entry(id: $0.id, fence: $0.fence, owner: owner) }) }
    }

    /// Releases the chunks that were leased after all.
    ///
    /// - Throws: the error of the store; then the next call tries again.
    func release(in store: PostgresStore) async throws {
        let doubtful = entries.withLock { Array($0) }
        guard !doubtful.isEmpty else { return }
        try await store.change { session in
            let ids = doubtful.map(\.id)
            let messages = ids.map(\.message.number)
            let numbers = ids.map(\.number)
            let fences = doubtful.map(\.fence)
            let owners = doubtful.map(\.owner.rawValue)
            // The old transaction has locked the row of a chunk, or that of its message if the chunk had none. Both are waited for, by
            // statements of their own: the update looks only at what was committed before it began. Chunks come first, as in a checkpoint.
            session.queue(
                """
                SELECT 1 FROM chunk JOIN unnest(\(numbers: messages)::bigint[], \(numbers: numbers)::bigint[]) AS doubtful (message, number)
                    USING (message, number)
                ORDER BY message, number FOR UPDATE OF chunk
                """
            )
            let rows = Set(messages).sorted()
            session.queue("SELECT 1 FROM message WHERE id = ANY(\(numbers: rows)) ORDER BY id FOR UPDATE")
            session.queue(
                """
                UPDATE chunk SET leaseOwner = NULL, leasedUntil = NULL
                FROM unnest(
                    \(numbers: messages)::bigint[], \(numbers: numbers)::bigint[], \(numbers: fences)::bigint[],
                    \(numbers: owners)::bigint[]
                ) AS doubtful (message, number, fence, owner)
                WHERE chunk.message = doubtful.message AND chunk.number = doubtful.number AND NOT isDone
                    AND chunk.fence = doubtful.fence AND leaseOwner = doubtful.owner
                """
            )
        }
        entries.withLock { $0.subtract(doubtful) }
    }
}
