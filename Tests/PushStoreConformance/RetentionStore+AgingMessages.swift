import Foundation
package import PushModel
package import PushService

extension RetentionStore {
    /// Messages of any age.
    package func agingMessages(after id: MessageID, limit: Int) async throws -> [AgingMessage] {
        try await agingMessages(after: id, acceptedBefore: .distantFuture, limit: limit)
    }
}
