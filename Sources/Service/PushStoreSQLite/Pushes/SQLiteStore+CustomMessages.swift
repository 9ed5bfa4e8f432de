package import Foundation
import GRDB
import PushModel
package import PushService

// The log of custom messages. Positions are assigned within the transaction that accepts a push, and transactions are serial:
// after a position has been read, nothing new appears before it.
extension SQLiteStore {
    package func lastCustomMessage() async throws -> Int64 {
        try await read { try Self.lastPosition(in: $0) }
    }

    package func leaveOutPositions(through position: Int64) async throws {
        try await writes.writeFirst { database in
            guard try Self.lastPosition(in: database) < position else { return }
            try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'customMessage'")
            try database.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('customMessage', ?)",
                arguments: [position]
            )
        }
    }

    /// Returns the last position, including those of deleted messages.
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
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT position, customMessage.app AS app, message, body, lastID FROM customMessage
                    JOIN message ON message.id = customMessage.message WHERE position > ? ORDER BY position LIMIT ?
                    """
            )
            return try Row.fetchAll(statement, arguments: [position, limit]).map { row in
                var record = CustomMessageRecord(row: row)
                guard apps.contains(record.app) else { return record }
                if row["lastID"] as Int64? == nil {
                    record.audience = try Self.audience(of: record.message, in: database)
                } else {
                    // A damaged message does not block others.
                    do { record.batch = try Self.batch(record.message, in: database) } catch is CorruptRow {
                        record.isUnreadable = true
                    }
                }
                return record
            }
        }
    }

    /// Returns the rest of a batch of custom messages.
    private static func batch(_ id: MessageID, in database: Database) throws -> MessageBatch? {
        let chunks = try database.cachedStatement(sql: "SELECT settled FROM chunk WHERE message = ?")
        guard var batch = try Message.read(id.number, in: database)?.batch,
            let settled = try Data.fetchOne(chunks, arguments: [id.number]).map({ PlaceSet(bytes: Array($0)) })
        else { return nil }
        batch.entries = batch.entries.enumerated().filter { !settled.contains($0.offset) }.map(\.element)
        return batch
    }

    private static func audience(of message: MessageID, in database: Database) throws -> [OrdinalList] {
        let statement = try database.cachedStatement(
            sql: "SELECT ordinals FROM chunk WHERE message = ? AND kind IN ('message', 'inApp') ORDER BY number"
        )
        return try Data.fetchAll(statement, arguments: [message.number]).map { OrdinalList(packed: $0) }
    }

    package func record(_ acknowledgements: Acknowledgements, at date: Date) async throws {
        try await writes.write { database in
            var cursors = try StatementBinding(
                """
                INSERT INTO messageCursor (app, ordinal, position)
                SELECT app, ordinal, ?3 FROM device WHERE app = ?1 AND ordinal = ?2
                ON CONFLICT DO UPDATE SET position = max(position, excluded.position)
                """,
                in: database
            )
            // Neighbouring rows share a page.
            for (device, position) in acknowledgements.cursors.sorted(by: { $0.key.ordinal < $1.key.ordinal }) {
                cursors.bind(Int64(device.app))
                cursors.bind(Int64(device.ordinal))
                cursors.bind(position)
                try cursors.execute(in: database)
            }
            for (message, ordinals) in acknowledgements.deliveries {
                try Self.countDeliveries(of: message, to: ordinals, at: date, in: database)
            }
        }
    }

    /// Sets the bits of devices that have received a message of the log.
    private static func countDeliveries(
        of message: MessageID,
        to ordinals: Set<DeviceOrdinal>,
        at date: Date,
        in database: Database
    ) throws {
        if ordinals.count == 1, let ordinal = ordinals.first {
            guard try !countDelivery(of: message, toOnly: ordinal, at: date, in: database) else {
                let notes = try CallbackNotes(message.number, in: database)
                try notes?.add(.delivered, of: [ordinal], in: .message, at: date.milliseconds, database)
                return
            }
        }
        let chunks = try ChunkPlaces(of: message.number, in: database)
        let ordinals = ordinals.sorted()
        for kind in Chunk.Kind.allCases where kind.isForLinks {
            for (chunk, places) in try chunks.find(ordinals, kind) {
                let acknowledgements = places.map { ($0.place, ReceiptBits.received) }
                try count(acknowledgements, at: date, in: Chunk.ID(message: message, number: chunk.number), database)
            }
        }
    }

    /// Sets the bit of a device that is alone in one of the first two chunks, the usual case of a push to a single device.
    ///
    /// - Returns: false if there is no such chunk, or the bit is already set.
    private static func countDelivery(
        of message: MessageID,
        toOnly ordinal: DeviceOrdinal,
        at date: Date,
        in database: Database
    ) throws -> Bool {
        var report = try StatementBinding(
            """
            INSERT INTO chunkReport (message, number, received, displayed, clicked, at)
            SELECT message, number, x'01', x'', x'', ?3 FROM chunk
            WHERE message = ?1 AND number < 2 AND kind = 'message' AND firstOrdinal = ?2 AND lastOrdinal = ?2
            ON CONFLICT DO UPDATE SET received = x'01', at = max(at, excluded.at) WHERE received <> x'01'
            """,
            in: database
        )
        report.bind(message.number)
        report.bind(Int64(ordinal))
        report.bind(date.milliseconds)
        try report.execute(in: database)
        return database.changesCount > 0
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

    /// Ends a custom message, unless it has already expired.
    static func withdrawCustomMessage(_ id: MessageID, at now: Date, in database: Database) throws {
        try database.execute(sql: "DELETE FROM customMessage WHERE message = ?", arguments: [id.number])
        let problem = JourneyEvent.service(.withdrawn, at: now).json.text
        try database.execute(
            sql: """
                UPDATE chunk SET problem = ?, updatedAt = ?
                WHERE message = ? AND kind IN ('message', 'inApp') AND problem IS NULL AND ? <
                    (SELECT acceptedAt + 1000 * timeToLive FROM message WHERE id = chunk.message)
                """,
            arguments: [problem, now.milliseconds, id.number, now.milliseconds]
        )
    }

    /// Ends one custom message of a batch, unless it has already expired.
    static func withdrawCustomMessage(
        _ id: MessageID,
        place: Int,
        of batch: Chunk,
        acceptedWith row: MessageRow,
        at now: Date,
        in database: Database
    ) throws {
        var batch = batch
        let timeToLive = try Int64.fetchOne(
            database,
            sql: "SELECT timeToLive FROM message WHERE id = ?",
            arguments: [row.id]
        )
        guard now.milliseconds < row.acceptedAt + 1000 * (timeToLive ?? 0), !batch.settled.contains(place) else {
            return
        }
        batch.settled.insert(place)
        try database.execute(
            sql: "UPDATE chunk SET settled = ? WHERE message = ?",
            arguments: [Data(batch.settled.bytes), row.id]
        )
        let event = JourneyEvent.service(.withdrawn, at: now)
        let ordinal = batch.ordinals.ordinals[place]
        try insert([JourneyEntry(message: id, ordinal: ordinal, event: event)], into: database)
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
