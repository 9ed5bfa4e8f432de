import Foundation
import GRDB
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
    static func find(_ message: MessageID, in database: Database) throws -> MessageRow? {
        let statement = try database.cachedStatement(
            sql: "SELECT id, app, acceptedAt, lastID FROM message WHERE id <= ? ORDER BY id DESC LIMIT 1"
        )
        guard let row = try Row.fetchOne(statement, arguments: [message.number]) else { return nil }
        var found = MessageRow(id: row["id"], app: row["app"], acceptedAt: row["acceptedAt"])
        guard let last = row["lastID"] as Int64? else { return found.id == message.number ? found : nil }
        guard message.number <= last else { return nil }
        let count = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT count FROM batch WHERE first = ?"),
            arguments: [found.id]
        )
        found.place =
            if count == last - found.id + 1 { Int(message.number - found.id) } else {
                try names(of: found.id, in: database).firstIndex { $0.id == message }
            }
        return found.place == nil ? nil : found
    }

    private static func names(of batch: Int64, in database: Database) throws -> [BatchNames.Name] {
        let statement = try database.cachedStatement(sql: "SELECT names FROM batch WHERE first = ?")
        guard let names = try Data.fetchOne(statement, arguments: [batch]) else {
            throw CorruptRow(table: "message", column: "lastID", found: "\(batch)")
        }
        return try BatchNames(packed: names).names
    }

    /// Returns the result of the message, if it is part of a batch, has this cid and was accepted since then.
    ///
    /// * `read`: the names of the batches read so far.
    static func result(
        of message: Int64,
        withCID cid: String,
        since: Int64,
        _ read: inout [Int64: [BatchNames.Name]],
        in database: Database
    ) throws -> PushResult? {
        guard let row = try find(MessageID(message), in: database), let place = row.place, row.acceptedAt >= since
        else { return nil }
        let names = try read[row.id] ?? names(of: row.id, in: database)
        read[row.id] = names
        return names[place].cid == cid
            ? PushResult(messageID: names[place].id, sendno: names[place].sendno) : nil
    }
}

extension Message {
    /// Returns the message of this row, with its pushes if it is a batch; nil if there is none.
    static func read(_ id: Int64, in database: Database) throws -> Message? {
        guard var found = try StoredMessage.read(id, in: database) else { return nil }
        try found.addPushes(in: database)
        return found.message
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

    static func read(_ id: Int64, in database: Database) throws -> StoredMessage? {
        var question = try StatementBinding(
            "SELECT \(Message.columns), lastID IS NOT NULL, unstarted FROM message WHERE id = ?",
            in: database
        )
        question.bind(id)
        return try question.first(in: database) { row in
            StoredMessage(
                message: try Message(row),
                isBatch: row.integer(Message.columnCount) != 0,
                unstarted: row.isNull(Message.columnCount + 1)
                    ? nil : OrdinalList(packed: row.bytes(Message.columnCount + 1))
            )
        }
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
    mutating func addPushes(in database: Database) throws {
        guard isBatch else { return }
        let statement = try database.cachedStatement(sql: "SELECT * FROM batch WHERE first = ?")
        let chunks = try database.cachedStatement(
            sql: "SELECT kind, ordinals FROM anyChunk WHERE message = ? AND number = 0"
        )
        guard let batch = try Row.fetchOne(statement, arguments: [message.id.number]),
            let chunk = try Row.fetchOne(chunks, arguments: [message.id.number])
        else { throw CorruptRow(table: "message", column: "lastID", found: message.id.description) }
        let names = try BatchNames(packed: batch["names"] as Data).names
        let texts = try BatchTexts(packed: batch["texts"] as Data).texts
        let devices = OrdinalList(packed: Array(chunk["ordinals"] as Data)).ordinals
        guard names.count == texts.count, names.count == devices.count else {
            throw CorruptRow(
                table: "batch",
                column: "texts",
                found: "\(texts.count) pushes to \(devices.count) devices"
            )
        }
        message.batch = MessageBatch(
            app: message.app,
            acceptedAt: message.acceptedAt,
            environment: message.environment,
            timeToLive: message.timeToLive,
            chunkKind: try word(chunk, "kind", of: "chunk"),
            kind: try word(batch, "kind", of: "batch"),
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
}

extension SQLiteStore {
    /// Moves the only chunk of a message from the message's row to its own, optionally with a lease.
    static func unfold(
        _ message: Int64,
        as fence: Int64 = 0,
        _ claim: LeaseClaim? = nil,
        in database: Database
    ) throws {
        let columns = """
            message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, attempt, cursor, prepared,
            sent, settled, problem, updatedAt, lane, origin, deferred
            """
        var chunk = try StatementBinding(
            """
            INSERT INTO chunk (\(columns), leaseOwner, leasedUntil, fence) SELECT \(columns), ?2, ?3, ?4
            FROM unstartedChunk WHERE message = ?1
            """,
            in: database
        )
        chunk.bind(message)
        chunk.bind(claim?.owner.rawValue)
        chunk.bind(claim?.expiresAt.milliseconds)
        chunk.bind(fence)
        try chunk.execute(in: database)
        guard database.changesCount > 0 else { return }
        var rest = try StatementBinding("UPDATE message SET unstarted = NULL WHERE id = ?", in: database)
        rest.bind(message)
        try rest.execute(in: database)
    }
}
