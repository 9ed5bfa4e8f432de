package import Foundation
import PostgresClient
import PushModel
package import PushService

// The log of custom messages. Positions follow the order of commits: after a position has been read, nothing new appears before it.
extension PostgresStore {
    package func lastCustomMessage() async throws -> Int64 { try await readOnce { try Self.lastPosition(in: $0) } }

    package func leaveOutPositions(through position: Int64) async throws {
        try await write { session -> Void in
            try session.connection.execute(
                "UPDATE customMessageHead SET position = $1 WHERE position < $1",
                .int64(position)
            )
        }
    }

    /// Returns the last position, including those of deleted messages.
    static func lastPosition(in connection: PostgresConnection) throws -> Int64 {
        try connection.execute("SELECT position FROM customMessageHead").first?.int64(0) ?? 0
    }

    package func customMessages(
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> [CustomMessageRecord] {
        try await read { connection in
            let rows = try connection.execute(
                """
                SELECT position, customMessage.app, customMessage.message, body, lastID FROM customMessage
                JOIN message ON message.id = customMessage.message WHERE position > $1 ORDER BY position LIMIT $2
                """,
                .int64(position),
                .int64(Int64(limit))
            )
            return try Self.customMessages(rows, audiencesOf: apps, in: connection)
        }
    }

    /// Reads the messages of the log.
    ///
    /// - Parameters:
    ///   - rows: position, app and message of each, its body, and the last id of a batch.
    ///   - apps: the apps whose audiences are read.
    ///   - connection: the connection.
    /// - Returns: a record for each row.
    /// - Throws: an error of the server.
    static func customMessages(
        _ rows: PostgresRows,
        audiencesOf apps: Set<App.ID>,
        in connection: PostgresConnection
    ) throws -> [CustomMessageRecord] {
        try rows.map { row in
            var record = CustomMessageRecord(row)
            record.body = row.bytes(3)
            guard apps.contains(record.app) else { return record }
            if row.optionalInt64(4) == nil {
                record.audience = try audience(of: record.message, in: connection)
            } else {
                // A damaged message does not block others.
                do { record.batch = try batch(record.message, in: connection) } catch is CorruptRow {
                    record.isUnreadable = true
                }
            }
            return record
        }
    }

    /// Returns the rest of a batch of custom messages.
    private static func batch(_ id: MessageID, in connection: PostgresConnection) throws -> MessageBatch? {
        guard var stored = try StoredMessage.read(id.number, in: connection) else { return nil }
        try stored.addPushes(in: connection)
        let rows = try connection.execute("SELECT settled FROM chunk WHERE message = $1", .message(id))
        guard var batch = stored.message.batch, let row = rows.first else { return nil }
        let settled = PlaceSet(bytes: row.bytes(0))
        batch.entries = batch.entries.enumerated().filter { !settled.contains($0.offset) }.map(\.element)
        return batch
    }

    private static func audience(of message: MessageID, in connection: PostgresConnection) throws -> [OrdinalList] {
        try connection.execute(
            "SELECT ordinals FROM chunk WHERE message = $1 AND kind IN ('message', 'inApp') ORDER BY number",
            .message(message)
        ).map { OrdinalList(packed: $0.bytes(0)) }
    }

    package func record(_ acknowledgements: Acknowledgements, at date: Date) async throws {
        try await write { session -> Void in
            // The order prevents deadlocks between nodes.
            let cursors = acknowledgements.cursors.sorted {
                ($0.key.app, $0.key.ordinal) < ($1.key.app, $1.key.ordinal)
            }
            if !cursors.isEmpty {
                try session.connection.execute(
                    """
                    INSERT INTO messageCursor AS known (app, ordinal, position)
                    SELECT said.app, said.ordinal, said.position
                    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS said (app, ordinal, position)
                    JOIN device ON device.app = said.app AND device.ordinal = said.ordinal
                    ORDER BY said.app, said.ordinal
                    ON CONFLICT (app, ordinal) DO UPDATE SET position = greatest(known.position, excluded.position)
                    """,
                    .int64s(cursors.map { Int64($0.key.app) }),
                    .int64s(cursors.map { Int64($0.key.ordinal) }),
                    .int64s(cursors.map(\.value))
                )
            }
            for (message, ordinals) in acknowledgements.deliveries.sorted(by: { $0.key < $1.key }) {
                try Self.countDeliveries(of: message, to: ordinals.sorted(), at: date, in: session)
            }
        }
    }

    /// Sets the bits of devices that have received a message of the log.
    private static func countDeliveries(
        of message: MessageID,
        to ordinals: [DeviceOrdinal],
        at date: Date,
        in session: StoreSession
    ) throws {
        let chunks = ChunkPlaces(of: message.number, in: session.connection)
        for kind in Chunk.Kind.allCases where kind.isForLinks {
            for (chunk, places) in try chunks.find(ordinals, kind) {
                let acknowledgements = places.map { (place: $0.place, bits: ReceiptBits.received) }
                try count(acknowledgements, at: date, in: Chunk.ID(message: message, number: chunk.number), session)
            }
        }
    }

    package func deleteCustomMessages(expiredBefore date: Date, limit: Int) async throws -> Bool {
        try await write { session in
            try session.connection.execute(
                """
                DELETE FROM customMessage WHERE position IN (
                    SELECT position FROM customMessage WHERE expiresAt < $1 LIMIT $2
                )
                """,
                .date(date),
                .int64(Int64(limit))
            ).affected == limit
        }
    }
}

extension CustomMessageRecord {
    /// - Parameter row: position, app and message, in this order.
    init(_ row: PostgresRow) {
        self.init(
            position: row.int64(0),
            message: MessageID(row.int64(2)),
            app: App.ID(truncatingIfNeeded: row.int64(1)),
            body: []
        )
    }
}
