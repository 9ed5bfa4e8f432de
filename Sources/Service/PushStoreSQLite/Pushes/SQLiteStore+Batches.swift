package import Foundation
import GRDB
import PushModel
package import PushService

extension SQLiteStore {
    package func accept(
        _ batches: [MessageBatch],
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<KeptPushes, any Error>) -> Void
    ) {
        let bytes = batches.reduce(0) { $0 + $1.bytes } + pushes.reduce(0) { $0 + $1.bytes }
        writes.write(
            bytes: bytes,
            { [self] database in
                var kept = KeptPushes()
                for batch in batches { try insert(batch, cidsSince: cidsSince, into: database, &kept) }
                try insert(pushes, cidsSince: cidsSince, into: database, &kept)
                return kept
            },
            reply: reply
        )
    }

    /// * `kept`: collects the results of its pushes.
    private func insert(
        _ batch: MessageBatch,
        cidsSince: Date,
        into database: Database,
        _ kept: inout KeptPushes
    ) throws {
        let (since, acceptedAt) = (cidsSince.milliseconds, batch.acceptedAt.milliseconds)
        var results = [PushResult?](repeating: nil, count: batch.entries.count)
        var entries = batch.entries
        let known = try cids.add(batch, at: acceptedAt, since: since, in: database)
        if !known.isEmpty {
            // A batch is usually repeated as a whole.
            var names: [Int64: [BatchNames.Name]] = [:]
            for (place, candidates) in known {
                let entry = batch.entries[place]
                results[place] = try Self.result(
                    of: candidates,
                    withCID: entry.cid,
                    app: batch.app,
                    since: since,
                    &names,
                    in: database
                )
                guard results[place] == nil else { continue }
                cids.add(entry.cid, of: entry.id.number, app: batch.app, at: acceptedAt, since: since)
            }
            entries = zip(batch.entries, results).filter { $1 == nil }.map(\.0)
        }
        kept.batched.append(results)
        guard let first = entries.first, let last = entries.last else { return kept.batchPositions.append(nil) }
        let ordinals = OrdinalList(entries.map(\.ordinal))
        var message = try StatementBinding(
            """
            INSERT INTO message (id, app, acceptedAt, body, environment, timeToLive, sendno, lane, unstarted, lastID, chunkCount)
            VALUES (?, ?, ?, x'', ?, ?, 0, ?, ?, ?, 1)
            """,
            in: database
        )
        message.bind(first.id.number)
        message.bind(Int64(batch.app))
        message.bind(acceptedAt)
        message.bind(batch.environment.rawValue)
        message.bind(batch.timeToLive)
        message.bind(batch.lane.number)
        if batch.chunkKind == .send { message.bind(ordinals.packed.span) } else { message.bindNull() }
        message.bind(last.id.number)
        try message.execute(in: database)
        var row = try StatementBinding(
            "INSERT INTO batch (first, acceptedAt, count, kind, names, texts) VALUES (?, ?, ?, ?, ?, ?)",
            in: database
        )
        row.bind(first.id.number)
        row.bind(acceptedAt)
        row.bind(Int64(entries.count))
        row.bind(batch.kind.rawValue)
        row.bind(BatchNames.packed(entries).span)
        row.bind(BatchTexts.packed(entries).span)
        try row.execute(in: database)
        kept.batchPositions.append(try log(batch, from: first.id, ordinals, in: database))
    }

    /// Adds custom messages to their log; their chunk is never leased.
    private func log(
        _ batch: MessageBatch,
        from first: MessageID,
        _ ordinals: OrdinalList,
        in database: Database
    ) throws -> Int64? {
        guard batch.chunkKind == .message else { return nil }
        var rows = try PushRows(in: database)
        let chunk = Chunk(
            id: Chunk.ID(message: first, number: 0),
            kind: batch.chunkKind,
            ordinals: ordinals,
            dueAt: batch.acceptedAt,
            updatedAt: batch.acceptedAt
        )
        try rows.insert(chunk, isPaced: false, lane: batch.lane)
        return try rows.log(first, of: batch.app, until: batch.expiresAt, onlyTo: nil)
    }
}

extension PreparedPush {
    /// The approximate memory that it holds while it waits for the disk: its text and its devices.
    fileprivate var bytes: Int {
        chunks.reduce(message.body.count) { $0 + $1.ordinals.ordinals.count * MemoryLayout<DeviceOrdinal>.size }
    }
}

extension MessageBatch {
    fileprivate var bytes: Int { entries.reduce(0) { $0 + $1.text.count + $1.cid.utf8.count } }
}

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

/// A message as stored in its row.
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
        let names = try BatchNames(packed: batch["names"]).names
        let texts = try BatchTexts(packed: batch["texts"]).texts
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
    }
}

extension Chunk {
    /// Returns the part of a batch's chunk for one of its pushes: a chunk with one device.
    func part(at place: Int, of message: MessageID) -> Chunk {
        var part = Chunk(
            id: ID(message: message, number: 0),
            kind: kind,
            ordinals: OrdinalList([ordinals.ordinals[place]]),
            dueAt: dueAt,
            updatedAt: updatedAt
        )
        part.attempt = attempt
        part.cursor = cursor > place ? 1 : 0
        part.prepared = prepared > place ? 1 : 0
        if sent.contains(place) { part.sent.insert(0) }
        if settled.contains(place) { part.settled.insert(0) }
        if deferred.contains(place) { part.deferred.insert(0) }
        part.isDone = isDone || part.cursor == 1 || settled.contains(place)
        // The problem of the others does not apply to it.
        part.problem = cursor > place || !isOpen(place) ? nil : problem
        return part
    }
}
