package import Foundation
import GRDB
import PushModel
package import PushService

// The log of custom messages. Positions are given within the transaction that accepts a push, and transactions follow each
// other: who has read up to a position will find nothing new before it.
extension SQLiteStore {
    package func lastCustomMessage() async throws -> Int64 {
        try await database.read { try Self.lastPosition(in: $0) }
    }

    /// Also of messages that are gone.
    private static func lastPosition(in database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "SELECT seq FROM sqlite_sequence WHERE name = 'customMessage'"
        )
        return try Int64.fetchOne(statement) ?? 0
    }

    package func customMessages(
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> [CustomMessageRecord] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT position, customMessage.app AS app, message, body FROM customMessage
                    JOIN message ON message.id = customMessage.message WHERE position > ? ORDER BY position LIMIT ?
                    """
            )
            return try Row.fetchAll(statement, arguments: [position, limit]).map { row in
                var record = CustomMessageRecord(row: row)
                if apps.contains(record.app) { record.audience = try Self.audience(of: record.message, in: database) }
                return record
            }
        }
    }

    private static func audience(of message: MessageID, in database: Database) throws -> [OrdinalList] {
        let statement = try database.cachedStatement(
            sql: "SELECT ordinals FROM chunk WHERE message = ? AND kind = 'message' ORDER BY number"
        )
        return try Data.fetchAll(statement, arguments: [message.number]).map { OrdinalList(packed: $0) }
    }

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
                WHERE message = ?1 AND kind = 'message' AND firstOrdinal <= ?2 AND lastOrdinal >= ?2
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

    package func keep(_ said: Acknowledgements, at date: Date) async throws {
        try await writes.write { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO messageCursor (app, ordinal, position)
                    SELECT app, ordinal, ?3 FROM device WHERE app = ?1 AND ordinal = ?2
                    ON CONFLICT DO UPDATE SET position = max(position, excluded.position)
                    """
            )
            for (device, position) in said.cursors {
                try statement.execute(arguments: [device.app, device.ordinal, position])
            }
            for (message, ordinals) in said.deliveries {
                let bits = Dictionary(uniqueKeysWithValues: ordinals.map { ($0, ReportBits.received) })
                try Self.count(bits, of: message, .message, at: date, in: database)
            }
        }
    }

    package func deleteCustomMessages(expiredBefore date: Date, limit: Int) async throws -> Bool {
        try await writes.write { database in
            try database.execute(
                sql: """
                    DELETE FROM customMessage WHERE position IN (
                        SELECT position FROM customMessage WHERE expiresAt < ? LIMIT ?
                    )
                    """,
                arguments: [date.milliseconds, limit]
            )
            return database.changesCount == limit
        }
    }

    /// Nobody is sent it any more, unless its time was over anyway.
    static func withdrawCustomMessage(_ id: MessageID, at now: Date, in database: Database) throws {
        try database.execute(sql: "DELETE FROM customMessage WHERE message = ?", arguments: [id.number])
        let problem = JourneyEvent(date: now, station: .service, kind: .withdrawn).json.text
        try database.execute(
            sql: """
                UPDATE chunk SET problem = ?, updatedAt = ?
                WHERE message = ? AND kind = 'message' AND problem IS NULL AND ? <
                    (SELECT acceptedAt + 1000 * timeToLive FROM message WHERE id = chunk.message)
                """,
            arguments: [problem, now.milliseconds, id.number, now.milliseconds]
        )
    }

    /// Notes a message in the log, unless it has no custom message.
    static func log(_ push: PreparedPush, in database: Database) throws {
        let audience = push.chunks.filter { $0.kind == .message }
        guard let first = audience.first else { return }
        let isOne = audience.count == 1 && first.ordinals.ordinals.count == 1
        try database.cachedStatement(
            sql: "INSERT INTO customMessage (app, message, expiresAt, onlyOrdinal) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [
            push.message.app, push.message.id.number, push.message.expiresAt.milliseconds,
            isOne ? first.ordinals.ordinals.first : nil,
        ])
    }
}

extension CustomMessageRecord {
    fileprivate init(row: Row) {
        self.init(
            position: row["position"],
            message: MessageID(row["message"]),
            app: row["app"],
            body: Array(row["body"] as Data)
        )
    }
}
