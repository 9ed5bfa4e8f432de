import Foundation
import GRDB
import PushModel
import PushService
import PushStoreSQL

/// Writes pushes: a row for each message, for its cid or its batch, and for each of its chunks unless there is only one.
struct PushRows: ~Copyable {
    private let database: Database
    private var cids: StatementBinding
    private var messages: StatementBinding
    private var chunks: StatementBinding
    private var customMessages: StatementBinding

    init(in database: Database) throws {
        self.database = database
        let cids = try StatementBinding(
            """
            INSERT INTO cid (app, cid, message, sendno, usedAt) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET message = excluded.message, sendno = excluded.sendno, usedAt = excluded.usedAt
            """,
            in: database
        )
        let messages = try StatementBinding(
            """
            INSERT INTO message (id, app, acceptedAt, body, environment, timeToLive, sendno, cid, requestID, trace, lane,
                unstarted, chunkCount, lastID)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            in: database
        )
        let chunks = try StatementBinding(
            """
            INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, updatedAt, lane)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            in: database
        )
        let customMessages = try StatementBinding(
            "INSERT INTO customMessage (app, message, expiresAt, onlyOrdinal) VALUES (?, ?, ?, ?)",
            in: database
        )
        self.cids = cids
        self.messages = messages
        self.chunks = chunks
        self.customMessages = customMessages
    }

    /// Assigns a cid to a message, whether it is new or was used long ago.
    mutating func claim(_ cid: String, for message: Message) throws {
        cids.bind(Int64(message.app))
        cids.bind(cid)
        cids.bind(message.id.number)
        cids.bind(Int64(message.sendno))
        cids.bind(message.acceptedAt.milliseconds)
        try cids.execute(in: database)
    }

    /// Writes a push, and the VoIP push beside it.
    ///
    /// - Returns: the position of its custom message in the log.
    mutating func insert(_ push: PreparedPush) throws -> Int64? {
        for voip in push.voip { _ = try insert(voip, as: push.message.id) }
        return try insert(push, as: push.isVoIP ? push.message.id : nil)
    }

    /// Writes a push; a VoIP push has the one that it belongs to as its origin.
    private mutating func insert(_ push: PreparedPush, as origin: MessageID?) throws -> Int64? {
        if let origin {
            try SQLiteSession(database: database).execute(
                "INSERT INTO voipPush (message, voip) VALUES (\(origin), \(push.message.id))"
            )
        }
        if push.isFollowed {
            try CallbackNotes.insert(push, as: origin ?? push.message.id, in: SQLiteSession(database: database))
        }
        let message = push.message
        messages.bind(message.id.number)
        messages.bind(Int64(message.app))
        messages.bind(message.acceptedAt.milliseconds)
        messages.bind(message.body.span)
        messages.bind(message.environment.rawValue)
        messages.bind(message.timeToLive)
        messages.bind(Int64(message.sendno))
        messages.bind(message.cid)
        messages.bind(message.origin?.requestID)
        messages.bind(message.origin?.storedTrace)
        messages.bind(message.lane.number)
        let only = push.onlyChunk
        if let only { messages.bind(only.ordinals.packed.span) } else { messages.bindNull() }
        messages.bind(Int64(push.chunks.count))
        messages.bind(message.batch?.entries.last?.id.number)
        try messages.execute(in: database)
        if let batch = message.batch { try insert(batch, acceptedAt: message.acceptedAt) }
        guard only == nil else { return nil }
        for chunk in push.chunks { try insert(chunk, isPaced: push.isPaced, lane: message.lane) }
        return push.isLogged ? try log(push) : nil
    }

    private func insert(_ batch: MessageBatch, acceptedAt: Date) throws {
        var row = try StatementBinding(
            "INSERT INTO batch (first, acceptedAt, count, kind, names, texts) VALUES (?, ?, ?, ?, ?, ?)",
            in: database
        )
        row.bind(batch.entries.first?.id.number)
        row.bind(acceptedAt.milliseconds)
        row.bind(Int64(batch.entries.count))
        row.bind(batch.kind.rawValue)
        row.bind(BatchNames.packed(batch.entries).span)
        row.bind(BatchTexts.packed(batch.entries).span)
        try row.execute(in: database)
    }

    mutating func insert(_ chunk: Chunk, isPaced: Bool, lane: Lane) throws {
        let ordinals = chunk.ordinals.ordinals
        chunks.bind(chunk.id.message.number)
        chunks.bind(Int64(chunk.id.number))
        chunks.bind(Int64(lane.app))
        chunks.bind(chunk.kind.rawValue)
        chunks.bind(chunk.ordinals.packed.span)
        chunks.bind(ordinals.first.map { Int64($0) })
        chunks.bind(ordinals.last.map { Int64($0) })
        chunks.bind(isPaced ? 1 : 0)
        chunks.bind(chunk.dueAt.milliseconds)
        chunks.bind(chunk.isDone ? 1 : 0)
        chunks.bind(chunk.updatedAt.milliseconds)
        chunks.bind(lane.number)
        try chunks.execute(in: database)
    }

    /// Adds a message to the log of custom messages; those of a batch stand under the id of the first.
    ///
    /// - Returns: its position.
    private mutating func log(_ push: PreparedPush) throws -> Int64 {
        customMessages.bind(Int64(push.message.app))
        customMessages.bind(push.message.id.number)
        customMessages.bind(push.message.expiresAt.milliseconds)
        customMessages.bind(push.onlyLinkedDevice.map { Int64($0) })
        try customMessages.execute(in: database)
        return database.lastInsertedRowID
    }
}
