import PushModel
package import PushService
import PushStoreSQL

extension PostgresStore: NodeMailStore {
    package func mail(
        for node: NodeID,
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> NodeMail {
        try await query { session in
            let rows = try session.rows(
                """
                SELECT position, customMessage.app, customMessage.message, body, lastID FROM customMessage
                JOIN message ON message.id = customMessage.message
                WHERE position > \(position) AND (onlyOrdinal IS NULL OR EXISTS (
                    SELECT 1 FROM link
                    WHERE link.app = customMessage.app AND link.ordinal = onlyOrdinal AND link.node = \(Int64(node.rawValue))
                ))
                ORDER BY position LIMIT \(limit)
                """
            ) { LoggedMessage($0) }
            let messages = try session.customMessages(rows, audiencesOf: apps)
            let isAll = messages.count < limit
            let end = isAll ? try session.lastPosition() : messages.last?.position
            return NodeMail(messages: messages, through: max(position, end ?? position))
        }
    }
}
