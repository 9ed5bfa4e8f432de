import Foundation
import PushModel

// Storing pushes, and delivering their custom messages.
extension PushAcceptor {
    /// Writes pushes together. Their custom messages are delivered directly from memory, in the order in which they were
    /// written. `reply` is called by the writing thread and must not block.
    func write(
        _ batches: [BatchSorter.StoredBatch],
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<StoredPushes, any Error>) -> Void
    ) {
        store.accept(batches.map(\.batch), pushes, cidsSince: cidsSince) { [router, metrics] result in
            if case .success(let stored) = result {
                metrics.accepted(stored, pushes)
                router.take(Self.deliveries(of: batches, pushes, stored))
            }
            reply(result)
        }
    }

    /// Writes pushes together and waits until they are on disk.
    func write(
        _ batches: [BatchSorter.StoredBatch],
        _ pushes: [PreparedPush],
        cidsSince: Date
    ) async throws -> StoredPushes {
        try await withCheckedThrowingContinuation { continuation in
            write(batches, pushes, cidsSince: cidsSince) { continuation.resume(with: $0) }
        }
    }

    /// Returns the custom messages of the stored pushes, in the order of the log.
    private static func deliveries(
        of batches: [BatchSorter.StoredBatch],
        _ pushes: [PreparedPush],
        _ stored: StoredPushes
    ) -> [CustomMessageDelivery] {
        var deliveries: [CustomMessageDelivery] = []
        for (place, position) in stored.batchPositions.enumerated() {
            guard let position else { continue }
            let (batch, candidates) = (batches[place].batch, batches[place].candidates)
            var logged: MessageID?
            var messages: [CustomMessageDelivery.Direct] = []
            messages.reserveCapacity(candidates.count)
            for (index, entry) in batch.entries.enumerated() where stored.batched[place][index] == nil {
                logged = logged ?? entry.id
                guard let content = candidates[index].push.message else { continue }
                messages.append(
                    CustomMessageDelivery.Direct(device: entry.ordinal, message: entry.id, content: content)
                )
            }
            guard let logged else { continue }
            deliveries.append(
                CustomMessageDelivery(position: position, app: batch.app, logged: logged, content: .each(messages))
            )
        }
        for (push, position) in zip(pushes, stored.singlePositions) {
            guard let position, let content = push.custom else { continue }
            let audience = push.chunks.filter(\.kind.isForLinks).map(\.ordinals)
            let (message, app) = (push.message.id, push.message.app)
            let isForOne = audience.count == 1 && audience[0].ordinals.count == 1
            let messages: CustomMessageDelivery.Content =
                isForOne
                ? .each([
                    CustomMessageDelivery.Direct(device: audience[0].ordinals[0], message: message, content: content)
                ])
                : .same(content, audience)
            deliveries.append(CustomMessageDelivery(position: position, app: app, logged: message, content: messages))
        }
        return deliveries
    }
}
