package import Foundation
import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

// The log of custom messages.
extension PostgresStore {
    package func leaveOutPositions(through position: Int64) async throws {
        try await execute("UPDATE customMessageHead SET position = \(position) WHERE position < \(position)")
    }

    package func record(_ acknowledgements: Acknowledgements, at date: Date) async throws {
        try await change { session in
            // The order prevents deadlocks between nodes.
            let cursors = acknowledgements.cursors.sorted {
                ($0.key.app, $0.key.ordinal) < ($1.key.app, $1.key.ordinal)
            }
            if !cursors.isEmpty {
                let apps = cursors.map(\.key.app)
                let ordinals = cursors.map(\.key.ordinal)
                let positions = cursors.map(\.value)
                session.queue(
                    """
                    INSERT INTO messageCursor AS known (app, ordinal, position)
                    SELECT said.app, said.ordinal, said.position
                    FROM unnest(\(numbers: apps)::bigint[], \(numbers: ordinals)::bigint[], \(numbers: positions)::bigint[]) AS said (app, ordinal, position)
                    JOIN device ON device.app = said.app AND device.ordinal = said.ordinal
                    ORDER BY said.app, said.ordinal
                    ON CONFLICT (app, ordinal) DO UPDATE SET position = greatest(known.position, excluded.position)
                    """
                )
            }
            for (message, ordinals) in acknowledgements.deliveries.sorted(by: { $0.key < $1.key }) {
                try session.countDeliveries(of: message, to: ordinals.sorted(), at: date)
            }
        }
    }
}

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
