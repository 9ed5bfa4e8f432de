package import PushModel
package import PushService

extension Message {
    /// The columns for ``init(_:from:)``, in order, of `message`.
    package static let columns =
        "id, message.app, acceptedAt, body, environment, timeToLive, sendno, cid, requestID, trace"
    /// The number of columns.
    package static let columnCount = 10

    /// Reads a message from its columns, which begin with `first`.
    package init(_ row: some SQLRow, from first: Int = 0) throws {
        self.init(
            id: row.message(first),
            app: row.app(first + 1),
            acceptedAt: row.date(first + 2),
            body: row.bytes(first + 3),
            environment: try row.word(first + 4, "environment", of: "message"),
            timeToLive: row.int64(first + 5),
            sendno: UInt32(truncatingIfNeeded: row.int64(first + 6)),
            cid: row.optionalText(first + 7)
        )
        origin = row.optionalText(first + 8).map { RequestOrigin(requestID: $0, stored: row.optionalText(first + 9)) }
    }

    /// Returns the message of a row, with its pushes if it is a batch; nil if there is none.
    ///
    /// - Throws: ``CorruptRow`` for a batch that cannot be read.
    static func stored(_ id: Int64, in session: any SQLSession) throws -> Message? {
        guard var found = try row(id, in: session) else { return nil }
        if found.isBatch { try found.message.readPushes(in: session) }
        return found.message
    }

    /// Returns the same as ``stored(_:in:)``, but a damaged batch counts as a push without pushes.
    static func readable(_ id: Int64, in session: any SQLSession) throws -> Message? {
        do { return try stored(id, in: session) } catch is CorruptRow { return try row(id, in: session)?.message }
    }

    private static func row(_ id: Int64, in session: any SQLSession) throws -> (message: Message, isBatch: Bool)? {
        try session.first("SELECT \(raw: columns), lastID IS NOT NULL FROM message WHERE id = \(id)") { row in
            (try Message(row), row.bool(columnCount))
        }
    }

    /// Reads the pushes of a batch.
    ///
    /// - Throws: ``CorruptRow``.
    package mutating func readPushes(in session: any SQLSession) throws {
        batch = try session.first(
            """
            SELECT batch.kind, names, texts, ordinals FROM batch JOIN anyChunk ON message = first AND number = 0
            WHERE first = \(id)
            """
        ) { try MessageBatch($0) }
        if batch == nil { throw CorruptRow(table: "message", column: "lastID", found: id.description) }
    }
}

extension MessageBatch {
    /// Reads kind, names and texts of a batch, and the ordinals of its chunk.
    fileprivate init(_ row: any SQLRow) throws {
        let names = try BatchNames(packed: row.bytes(1)).names
        let texts = try BatchTexts(packed: row.bytes(2)).texts
        let devices = row.ordinals(3).ordinals
        guard names.count == texts.count, names.count == devices.count else {
            let found = "\(texts.count) pushes to \(devices.count) devices"
            throw CorruptRow(table: "batch", column: "texts", found: found)
        }
        self.init(
            kind: try row.word(0, "kind", of: "batch"),
            entries: names.indices.map { place in
                Entry(
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
    /// The columns for ``init(_:)``, in order.
    package static let columns = """
        message, number, kind, ordinals, dueAt, updatedAt, attempt, cursor, prepared, sent, settled, deferred, fence, origin,
        isDone, problem
        """
    /// The number of columns.
    package static let columnCount = 16

    package init(_ row: some SQLRow) throws {
        self.init(
            id: ID(message: row.message(0), number: row.int(1)),
            kind: try row.word(2, "kind", of: "chunk"),
            ordinals: row.ordinals(3),
            dueAt: row.date(4),
            updatedAt: row.date(5)
        )
        attempt = row.int(6)
        cursor = row.int(7)
        prepared = row.int(8)
        sent = row.places(9)
        settled = row.places(10)
        deferred = row.places(11)
        fence = row.int64(12)
        origin = row.optionalInt(13)
        isDone = row.bool(14)
        if let text = row.optionalText(15) { problem = try JourneyEvent(stored: text).kind }
    }

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

/// The location of a message: its own row, or a place in the row of a batch.
package struct MessageRow {
    /// The id of the row.
    package var id: Int64
    package var app: App.ID
    package var acceptedAt: Int64
    /// The place in the batch; nil for a row of its own.
    package var place: Int?

    /// Returns the location of a message; nil if it does not exist.
    ///
    /// - Throws: ``CorruptRow`` if it is in a batch that cannot be read.
    package static func find(_ message: MessageID, in session: any SQLSession) throws -> MessageRow? {
        let row = try session.first(
            """
            SELECT id, app, message.acceptedAt, lastID, batch.count FROM message LEFT JOIN batch ON first = id AND lastID IS NOT NULL
            WHERE id <= \(message) ORDER BY id DESC LIMIT 1
            """
        ) { row in
            let found = MessageRow(id: row.int64(0), app: row.app(1), acceptedAt: row.int64(2))
            return (found: found, last: row.optionalInt64(3), count: row.optionalInt64(4))
        }
        guard let row else { return nil }
        var found = row.found
        guard let last = row.last else { return found.id == message.number ? found : nil }
        guard message.number <= last else { return nil }
        if row.count == last - found.id + 1 {
            found.place = Int(message.number - found.id)
        } else {
            found.place = try names(of: found.id, in: session).firstIndex { $0.id == message }
        }
        return found.place == nil ? nil : found
    }

    package static func names(of batch: Int64, in session: any SQLSession) throws -> [BatchNames.Name] {
        let names = try session.first("SELECT names FROM batch WHERE first = \(batch)") { $0.bytes(0) }
        guard let names else { throw CorruptRow(table: "message", column: "lastID", found: "\(batch)") }
        return try BatchNames(packed: names).names
    }
}
