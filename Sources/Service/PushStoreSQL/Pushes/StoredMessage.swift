import PushModel
package import PushService

/// A message as stored in its row, in one of three forms: with chunks in rows of their own; with its only chunk in the same row,
/// until the chunk is leased; or a batch, whose pushes and their texts are in a row of the table `batch`.
package struct StoredMessage {
    package var message: Message
    /// Whether it is a batch, whose pushes are stored in another row.
    package var isBatch: Bool
    /// The devices of its only chunk, as long as the chunk has not been leased.
    package var unstarted: OrdinalList?

    /// The query for the message of row `$1`, for ``init(_:)``.
    package static let query = "SELECT \(Message.columns), lastID IS NOT NULL, unstarted FROM message WHERE id = $1"

    package init(_ row: some SQLRow) throws {
        message = try Message(row)
        isBatch = row.bool(Message.columnCount)
        unstarted = row.optionalBytes(Message.columnCount + 1).map { OrdinalList(packed: $0) }
    }

    /// Returns the message of this row, with its pushes if it is a batch; nil if there is none.
    ///
    /// - Throws: ``CorruptRow`` for a batch that cannot be read.
    package static func message(_ id: Int64, in session: any SQLSession) throws -> Message? {
        guard var stored = try stored(id, in: session) else { return nil }
        try stored.addPushes(in: session)
        return stored.message
    }

    /// Returns the message of this row, with its pushes if it is a batch; nil if there is none. A damaged batch counts as a push
    /// without pushes.
    static func readable(_ id: Int64, in session: any SQLSession) throws -> Message? {
        guard var stored = try stored(id, in: session) else { return nil }
        do { try stored.addPushes(in: session) } catch is CorruptRow {}
        return stored.message
    }

    private static func stored(_ id: Int64, in session: any SQLSession) throws -> StoredMessage? {
        try session.first(SQLStatement(query, [.int64(id)])) { try StoredMessage($0) }
    }

    /// Its only chunk, as long as the chunk has not been leased.
    package var onlyChunk: Chunk? {
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
    package mutating func addPushes(in session: any SQLSession) throws {
        guard isBatch else { return }
        let message = message
        let batch = try session.first(
            """
            SELECT batch.kind, names, texts, anyChunk.kind, ordinals FROM batch
            JOIN anyChunk ON message = first AND number = 0 WHERE first = \(message.id)
            """
        ) { try MessageBatch($0, of: message) }
        guard let batch else {
            throw CorruptRow(table: "message", column: "lastID", found: message.id.description)
        }
        self.message.batch = batch
    }
}

extension MessageBatch {
    /// Reads kind, names and texts of the batch of a message, and kind and ordinals of its chunk.
    fileprivate init(_ row: any SQLRow, of message: Message) throws {
        let names = try BatchNames(packed: row.bytes(1)).names
        let texts = try BatchTexts(packed: row.bytes(2)).texts
        let devices = OrdinalList(packed: row.bytes(4)).ordinals
        guard names.count == texts.count, names.count == devices.count else {
            let found = "\(texts.count) pushes to \(devices.count) devices"
            throw CorruptRow(table: "batch", column: "texts", found: found)
        }
        self.init(
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
        origin = message.origin
    }
}

extension Chunk {
    /// Reads the chunks of a query, from its `FROM` on, in its order, and whether they are leased.
    static func read(_ source: SQLStatement, in session: any SQLSession) throws -> [(chunk: Chunk, isLeased: Bool)] {
        try session.rows("SELECT \(raw: columns), leaseOwner \(source)") { row in
            (try Chunk(row), !row.isNull(columnCount))
        }
    }

    /// Returns the chunk of a message in which a device is retried; nil if there is none.
    static func retry(
        of ordinal: DeviceOrdinal,
        in message: MessageID,
        _ session: any SQLSession
    ) throws -> (chunk: Chunk, isLeased: Bool)? {
        try read(
            """
            FROM chunk WHERE message = \(message) AND kind = 'retry' AND firstOrdinal <= \(ordinal)
                AND lastOrdinal >= \(ordinal) ORDER BY number DESC
            """,
            in: session
        ).first { $0.chunk.ordinals.place(of: ordinal) != nil }
    }
}
