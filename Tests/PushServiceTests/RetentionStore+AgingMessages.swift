import Foundation
import PushModel
import PushService

extension RetentionStore {
    /// Messages of any age.
    func agingMessages(after id: MessageID, limit: Int) async throws -> [AgingMessage] {
        try await agingMessages(after: id, acceptedBefore: .distantFuture, limit: limit)
    }
}
