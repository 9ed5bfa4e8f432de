import Foundation
import PushModel

// Storing pushes, and delivering their custom messages.
extension PushAcceptor {
    /// Writes pushes together. Their custom messages are delivered directly from memory, in the order in which they were
    /// written. `reply` is called by the writing thread and must not block.
    func write(
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<[StoredPush], any Error>) -> Void
    ) {
        store.accept(pushes, cidsSince: cidsSince) { [router, metrics] result in
            if case .success(let stored) = result {
                metrics.accepted(pushes, stored)
                router.add(Self.deliveries(of: pushes, stored))
            }
            reply(result)
        }
    }

    /// Writes pushes together and waits until they are on disk.
    func write(_ pushes: [PreparedPush], cidsSince: Date) async throws -> [StoredPush] {
        try await withCheckedThrowingContinuation { continuation in
            write(pushes, cidsSince: cidsSince) { continuation.resume(with: $0) }
        }
    }

    /// Returns the custom messages of the stored pushes, in the order of the log.
    private static func deliveries(of pushes: [PreparedPush], _ stored: [StoredPush]) -> [CustomMessageDelivery] {
        var deliveries: [CustomMessageDelivery] = []
        for place in pushes.indices where pushes[place].custom != nil {
            guard let position = stored[place].position, let push = pushes[place].withoutRepeated(stored[place]),
                let content = push.custom
            else { continue }
            let message = push.message.id
            let app = push.message.app
            deliveries.append(CustomMessageDelivery(position: position, app: app, logged: message, content: content))
        }
        return deliveries
    }
}
