import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func reach(of message: MessageID, app: App.ID) async throws -> [NotificationReach] {
        try await read { database in
            guard let host = try MessageRow.find(message, in: database), host.app == app,
                try Self.deletion(of: message, app: app, in: database) == nil
            else { return [] }
            // The first chunks have all devices; those of retries repeat some.
            let chunks = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT number, ordinals, sent FROM anyChunk WHERE message = ? AND kind = ? ORDER BY number"
                ),
                arguments: [host.id, Chunk.Kind.send.rawValue]
            )
            return try chunks.compactMap { row in try Self.reach(row, of: message, in: host, database) }
        }
    }

    private static func reach(
        _ row: Row,
        of message: MessageID,
        in host: MessageRow,
        _ database: Database
    ) throws -> NotificationReach? {
        let ordinals = OrdinalList(packed: row["ordinals"] as Data).ordinals
        let sent = PlaceSet(bytes: Array(row["sent"] as Data))
        var reach = NotificationReach(ordinals: ordinals, sent: sent)
        if let place = host.place {
            // A push of a batch is for one device of the chunk; reports are stored for that push alone.
            guard place < ordinals.count else { return nil }
            reach = NotificationReach(ordinals: [ordinals[place]], sent: PlaceSet(sent.contains(place) ? [0] : []))
        }
        let report = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT received, displayed, clicked FROM chunkReport WHERE message = ? AND number = ?"
            ),
            arguments: [message.number, row["number"] as Int]
        )
        if let report {
            reach.received = PlaceSet(bytes: Array(report["received"] as Data))
            reach.displayed = PlaceSet(bytes: Array(report["displayed"] as Data))
            reach.clicked = PlaceSet(bytes: Array(report["clicked"] as Data))
        }
        return reach
    }
}
