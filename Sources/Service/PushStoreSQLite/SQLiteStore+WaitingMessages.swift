package import Foundation
import GRDB
import PushModel
package import PushService

// What a device finds when it logs in.
extension SQLiteStore {
    package func waitingMessages(
        of device: DeviceID,
        settledThrough settled: Int64,
        keptThrough kept: Int64?,
        limit: Int,
        at now: Date
    ) async throws -> WaitingMessages {
        try await database.read { database in
            let cursor = max(settled, try Self.cursor(of: device, in: database))
            let through = try Self.lastPosition(in: database)
            // Nobody has what was never sent.
            let kept = max(cursor, min(kept ?? 0, through))
            var found: [CustomMessageRecord] = []
            var had: [MessageID] = []
            if kept > cursor {
                try Self.find(device, from: cursor, through: kept, at: nil, in: database) { row in
                    had.append(MessageID(row["message"]))
                    return had.count < Self.keptAtOnce
                }
            }
            if limit > 0 {
                try Self.find(device, from: kept, through: through, at: now, in: database) { row in
                    found.append(CustomMessageRecord(row: row))
                    return found.count < limit
                }
            }
            for index in found.indices {
                let statement = try database.cachedStatement(sql: "SELECT body FROM message WHERE id = ?")
                let body = try Data.fetchOne(statement, arguments: [found[index].message.number])
                found[index].body = body.map { Array($0) } ?? []
            }
            return WaitingMessages(messages: found.reversed(), kept: had, through: through)
        }
    }

    /// Messages that a device may tell of at its login, beyond those that it acknowledged.
    private static let keptAtOnce = 1000

    static func cursor(of device: DeviceID, in database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "SELECT position FROM messageCursor WHERE app = ? AND ordinal = ?"
        )
        return try Int64.fetchOne(statement, arguments: [device.app, device.ordinal]) ?? 0
    }

    /// Hands over the messages to a device, the newest first, as long as `take` wants more; `at`: leaves out those whose time is
    /// over then.
    private static func find(
        _ device: DeviceID,
        from first: Int64,
        through last: Int64,
        at now: Date?,
        in database: Database,
        _ take: (Row) throws -> Bool
    ) throws {
        // What goes to one device alone is found by its ordinal; of the rest each audience is looked into.
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT position, app, message, onlyOrdinal, x'' AS body FROM customMessage
                    WHERE app = ?1 AND onlyOrdinal = ?2 AND position > ?3 AND position <= ?4 AND expiresAt > ?5
                    UNION ALL
                    SELECT position, app, message, onlyOrdinal, x'' AS body FROM customMessage
                    WHERE app = ?1 AND onlyOrdinal IS NULL AND position > ?3 AND position <= ?4 AND expiresAt > ?5
                    ORDER BY position DESC
                    """
            ),
            arguments: [device.app, device.ordinal, first, last, now?.milliseconds ?? Int64.min]
        )
        let chunks = try database.cachedStatement(
            sql: """
                SELECT ordinals FROM chunk
                WHERE message = ?1 AND kind IN ('message', 'inApp') AND firstOrdinal <= ?2 AND lastOrdinal >= ?2
                """
        )
        while let row = try rows.next() {
            if (row["onlyOrdinal"] as DeviceOrdinal?) == nil {
                let message: Int64 = row["message"]
                let lists = try Data.fetchAll(chunks, arguments: [message, device.ordinal])
                guard lists.contains(where: { OrdinalList(packed: $0).place(of: device.ordinal) != nil }) else {
                    continue
                }
            }
            guard try take(row.copy()) else { return }
        }
    }
}
