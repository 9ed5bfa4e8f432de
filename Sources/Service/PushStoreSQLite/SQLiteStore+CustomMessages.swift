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

    package func leaveOutPositions(through position: Int64) async throws {
        try await writes.write { database in
            guard try Self.lastPosition(in: database) < position else { return }
            try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'customMessage'")
            try database.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('customMessage', ?)",
                arguments: [position]
            )
        }
    }

    /// Also of messages that are gone.
    static func lastPosition(in database: Database) throws -> Int64 {
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
    init(row: Row) {
        self.init(
            position: row["position"],
            message: MessageID(row["message"]),
            app: row["app"],
            body: Array(row["body"] as Data)
        )
    }
}
