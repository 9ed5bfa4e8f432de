import Foundation
import PostgresClient
import PushModel
import PushService

/// The location of a message: its own row, or a place in the row of a batch.
struct MessageRow {
    /// The id of the row.
    var id: Int64
    var app: App.ID
    var acceptedAt: Int64
    /// The place in the batch; nil for a row of its own.
    var place: Int?

    /// Returns the location of a message; nil if it does not exist.
    ///
    /// - Throws: ``CorruptRow`` if it is in a batch that cannot be read.
    static func find(_ message: MessageID, in connection: PostgresConnection) throws -> MessageRow? {
        let rows = try connection.execute(
            """
            SELECT id, app, message.acceptedAt, lastID, batch.count FROM message LEFT JOIN batch ON first = id AND lastID IS NOT NULL
            WHERE id <= $1 ORDER BY id DESC LIMIT 1
            """,
            .message(message)
        )
        guard let row = rows.first else { return nil }
        var found = MessageRow(
            id: row.int64(0),
            app: App.ID(truncatingIfNeeded: row.int64(1)),
            acceptedAt: row.int64(2)
        )
        guard let last = row.optionalInt64(3) else { return found.id == message.number ? found : nil }
        guard message.number <= last else { return nil }
        if row.optionalInt64(4) == last - found.id + 1 {
            found.place = Int(message.number - found.id)
        } else {
            found.place = try names(of: found.id, in: connection).firstIndex { $0.id == message }
        }
        return found.place == nil ? nil : found
    }

    private static func names(of batch: Int64, in connection: PostgresConnection) throws -> [BatchNames.Name] {
        let rows = try connection.execute("SELECT names FROM batch WHERE first = $1", .int64(batch))
        guard let row = rows.first else {
            throw CorruptRow(table: "message", column: "lastID", found: "\(batch)")
        }
        return try BatchNames(packed: row.bytes(0)).names
    }
}

/// A message as stored in its row, in one of three forms: with chunks in rows of their own; with its only chunk in the same row,
/// until the chunk is leased; or a batch, whose pushes and their texts are in a row of the table `batch`.
struct StoredMessage {
    var message: Message
    /// Whether it is a batch, whose pushes are stored in another row.
    var isBatch: Bool
    /// The devices of its only chunk, as long as the chunk has not been leased.
    var unstarted: OrdinalList?

    static func read(_ id: Int64, in connection: PostgresConnection) throws -> StoredMessage? {
        let (sql, values) = reading(id)
        return try connection.execute(sql, values).first.map { try StoredMessage($0) }
    }

    /// The statement that reads the message of this row, for ``init(_:)``.
    static func reading(_ id: Int64) -> PostgresConnection.Statement {
        ("SELECT \(Message.columns), lastID IS NOT NULL, unstarted FROM message WHERE id = $1", [.int64(id)])
    }

    init(_ row: PostgresRow) throws {
        message = try Message(row)
        isBatch = row.bool(Message.columnCount)
        unstarted = row.optionalBytes(Message.columnCount + 1).map { OrdinalList(packed: $0) }
    }

    /// Returns the message of this row, with its pushes if it is a batch; nil if there is none. A damaged batch counts as a push
    /// without pushes.
    static func readable(_ id: Int64, in connection: PostgresConnection) throws -> Message? {
        guard var stored = try read(id, in: connection) else { return nil }
        do { try stored.addPushes(in: connection) } catch is CorruptRow {}
        return stored.message
    }

    /// Its only chunk, as long as the chunk has not been leased.
    var onlyChunk: Chunk? {
        unstarted.map { ordinals in
            Chunk(
                id: Chunk.ID(message: message.id, number: 0),
                kind: .send,
                ordinals: ordinals,
                dueAt: message.acceptedAt,
                updatedAt: message.acceptedAt
            )
        }
    }

    /// Reads its pushes, if it is a batch.
    ///
    /// - Throws: ``CorruptRow``.
    mutating func addPushes(in connection: PostgresConnection) throws {
        guard isBatch else { return }
        let rows = try connection.execute(
            """
            SELECT batch.kind, names, texts, anyChunk.kind, ordinals FROM batch
            JOIN anyChunk ON message = first AND number = 0 WHERE first = $1
            """,
            .message(message.id)
        )
        guard let row = rows.first else {
            throw CorruptRow(table: "message", column: "lastID", found: message.id.description)
        }
        let names = try BatchNames(packed: row.bytes(1)).names
        let texts = try BatchTexts(packed: row.bytes(2)).texts
        let devices = OrdinalList(packed: row.bytes(4)).ordinals
        guard names.count == texts.count, names.count == devices.count else {
            let found = "\(texts.count) pushes to \(devices.count) devices"
            throw CorruptRow(table: "batch", column: "texts", found: found)
        }
        message.batch = MessageBatch(
            app: message.app,
            acceptedAt: message.acceptedAt,
            environment: message.environment,
            timeToLive: message.timeToLive,
            chunkKind: try row.word(3, "kind", of: "chunk"),
            kind: try row.word(0, "kind", of: "batch"),
            entries: names.indices.map { place in
                MessageBatch.Entry(
                    id: names[place].id,
                    ordinal: devices[place],
                    cid: names[place].cid,
                    sendno: names[place].sendno,
                    text: texts[place]
                )
            }
        )
        message.batch?.origin = message.origin
    }

    /// Moves the only chunks of messages from the messages' rows to rows of their own, with a lease if there is a claim.
    static func unfold(_ messages: [Int64], _ claim: LeaseClaim? = nil, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            WITH held AS (
                SELECT id, app, unstarted, acceptedAt, lane FROM message WHERE id = ANY($1) AND unstarted IS NOT NULL FOR UPDATE
            ),
            emptied AS (UPDATE message SET unstarted = NULL FROM held WHERE message.id = held.id)
            INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone,
                updatedAt, lane, leaseOwner, leasedUntil, fence)
            SELECT id, 0, app, 'send', unstarted, 0, 4294967295, false, acceptedAt, false, acceptedAt, lane, $2::bigint,
                $3::bigint, $4::bigint FROM held
            """,
            .int64s(messages),
            .optional(claim?.owner.rawValue),
            .optional(claim?.expiresAt.milliseconds),
            .int64(claim == nil ? 0 : 1)
        )
    }
}
