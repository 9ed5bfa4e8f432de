import Foundation
import PostgresClient
import PushModel
import PushService
import PushStoreSQL

/// The rows of accepted pushes, column by column, so that one statement writes all rows of a table.
struct PushRows {
    private let node: Int16
    private var messages = MessageColumns()
    private var batches = BatchRowColumns()
    private var chunks = ChunkColumns()
    private var logged = LogColumns()
    private var voip: (messages: [Int64], pushes: [Int64]) = ([], [])
    private var callbacks: [(push: PreparedPush, origin: MessageID)] = []

    init(node: Int16) { self.node = node }

    /// Adds a push, and the VoIP push beside it.
    ///
    /// - Returns: the place of its custom message among those to be logged; nil if it has none.
    mutating func add(_ push: PreparedPush) -> Int? {
        for voip in push.voip { _ = add(voip, as: push.message.id) }
        return add(push, as: push.isVoIP ? push.message.id : nil)
    }

    /// Adds a push; a VoIP push has the one that it belongs to as its origin.
    private mutating func add(_ push: PreparedPush, as origin: MessageID?) -> Int? {
        let message = push.message
        if let origin {
            voip.messages.append(origin.number)
            voip.pushes.append(message.id.number)
        }
        if push.callback != nil { callbacks.append((push, origin ?? message.id)) }
        let only = push.onlyChunk
        messages.add(push, unstarted: only?.ordinals)
        if let batch = message.batch { batches.add(batch, acceptedAt: message.acceptedAt) }
        guard only == nil else { return nil }
        for chunk in push.chunks { chunks.add(chunk, isPaced: push.isPaced, lane: message.lane) }
        return push.isLogged ? logged.add(push) : nil
    }

    /// Writes the rows, or queues the statements for them if no result is needed: they are sent with the commit then.
    ///
    /// - Returns: the log position of the first custom message; the others follow it.
    /// - Throws: an error of the server.
    func write(in session: StoreSession) throws -> Int64 {
        let connection = session.connection
        connection.queue { addTables(to: $0) }
        // In the same order at all nodes, as new receivers stay locked until the commit.
        let sorted = callbacks.sorted { ($0.push.callback?.url ?? "") < ($1.push.callback?.url ?? "") }
        for (push, origin) in sorted { try CallbackNotes.insert(push, as: origin, in: session) }
        guard !logged.isEmpty else { return 0 }
        // Last, because the positions are locked from here to the commit.
        return try logged.first(of: connection.pipeline { logged.write(node: node, to: $0) })
    }

    /// Adds the statements for all tables but those of the log and of callbacks.
    private func addTables(to pipeline: StatementList) {
        messages.write(node: node, to: pipeline)
        batches.write(to: pipeline)
        chunks.write(to: pipeline)
        guard !voip.messages.isEmpty else { return }
        pipeline.add(
            "INSERT INTO voipPush (message, voip) SELECT * FROM unnest($1::bigint[], $2::bigint[])",
            .int64s(voip.messages),
            .int64s(voip.pushes)
        )
    }
}

/// Rows of `message`. An empty text or list stands for null, which none of these columns holds otherwise.
private struct MessageColumns {
    private var numbers: [[Int64]] = Array(repeating: [], count: 8)
    private var texts: [[String]] = Array(repeating: [], count: 4)
    private var bodies: [[UInt8]] = []
    private var unstarted: [[UInt8]] = []

    mutating func add(_ push: PreparedPush, unstarted ordinals: OrdinalList?) {
        let message = push.message
        let row: [Int64] = [
            message.id.number, Int64(message.app), message.acceptedAt.milliseconds, message.timeToLive,
            Int64(message.sendno), message.lane.number, message.batch?.entries.last?.id.number ?? 0,
            Int64(push.chunks.count),
        ]
        for (column, number) in row.enumerated() { numbers[column].append(number) }
        let words = [
            message.environment.rawValue, message.cid ?? "", message.origin?.requestID ?? "",
            message.origin?.storedTrace ?? "",
        ]
        for (column, word) in words.enumerated() { texts[column].append(word) }
        bodies.append(message.body)
        unstarted.append(ordinals?.packed ?? [])
    }

    func write(node: Int16, to pipeline: StatementList) {
        guard !bodies.isEmpty else { return }
        let values =
            numbers.map { PostgresValue.int64s($0) } + texts.map { PostgresValue.texts($0) } + [
                .byteArrays(bodies), .byteArrays(unstarted), .int64(Int64(node)),
            ]
        pipeline.add(
            """
            INSERT INTO message (id, app, acceptedAt, timeToLive, sendno, lane, lastID, chunkCount, environment, cid,
                requestID, trace, body, unstarted, node)
            SELECT id, app, acceptedAt, timeToLive, sendno, lane, nullif(lastID, 0), chunkCount, environment,
                nullif(cid, ''), nullif(requestID, ''), nullif(trace, ''), body, nullif(unstarted, ''::bytea), $15::bigint
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::bytea[])
                AS row (id, app, acceptedAt, timeToLive, sendno, lane, lastID, chunkCount, environment, cid, requestID,
                    trace, body, unstarted)
            """,
            values
        )
    }
}

/// Rows of `batch`.
private struct BatchRowColumns {
    private var first: [Int64] = []
    private var acceptedAt: [Int64] = []
    private var count: [Int64] = []
    private var kind: [String] = []
    private var names: [[UInt8]] = []
    private var texts: [[UInt8]] = []

    mutating func add(_ batch: MessageBatch, acceptedAt date: Date) {
        first.append(batch.entries.first?.id.number ?? 0)
        acceptedAt.append(date.milliseconds)
        count.append(Int64(batch.entries.count))
        kind.append(batch.kind.rawValue)
        names.append(BatchNames.packed(batch.entries))
        texts.append(BatchTexts.packed(batch.entries))
    }

    func write(to pipeline: StatementList) {
        guard !first.isEmpty else { return }
        pipeline.add(
            """
            INSERT INTO batch (first, acceptedAt, count, kind, names, texts)
            SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bytea[], $6::bytea[])
            """,
            .int64s(first),
            .int64s(acceptedAt),
            .int64s(count),
            .texts(kind),
            .byteArrays(names),
            .byteArrays(texts)
        )
    }
}

/// Rows of `chunk`.
private struct ChunkColumns {
    private var numbers: [[Int64]] = Array(repeating: [], count: 10)
    private var kinds: [String] = []
    private var ordinals: [[UInt8]] = []

    mutating func add(_ chunk: Chunk, isPaced: Bool, lane: Lane) {
        let devices = chunk.ordinals.ordinals
        let row: [Int64] = [
            chunk.id.message.number, Int64(chunk.id.number), Int64(lane.app), Int64(devices.first ?? 0),
            Int64(devices.last ?? 0), isPaced ? 1 : 0, chunk.dueAt.milliseconds, chunk.isDone ? 1 : 0,
            chunk.updatedAt.milliseconds, lane.number,
        ]
        for (column, number) in row.enumerated() { numbers[column].append(number) }
        kinds.append(chunk.kind.rawValue)
        ordinals.append(chunk.ordinals.packed)
    }

    func write(to pipeline: StatementList) {
        guard !kinds.isEmpty else { return }
        pipeline.add(
            """
            INSERT INTO chunk (message, number, app, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, updatedAt, lane,
                kind, ordinals)
            SELECT message, number, app, firstOrdinal, lastOrdinal, isPaced = 1, dueAt, isDone = 1, updatedAt, lane,
                kind, ordinals
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::bytea[])
                AS row (message, number, app, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, updatedAt, lane, kind,
                    ordinals)
            """,
            numbers.map { PostgresValue.int64s($0) } + [.texts(kinds), .byteArrays(ordinals)]
        )
    }
}

/// Rows of `customMessage`.
private struct LogColumns {
    private var apps: [Int64] = []
    private var messages: [Int64] = []
    private var expiries: [Int64] = []
    /// -1 for an audience of several devices.
    private var ordinals: [Int64] = []

    var isEmpty: Bool { apps.isEmpty }

    /// - Returns: its place among the rows.
    mutating func add(_ push: PreparedPush) -> Int {
        apps.append(Int64(push.message.app))
        messages.append(push.message.id.number)
        expiries.append(push.message.expiresAt.milliseconds)
        ordinals.append(push.onlyLinkedDevice.map { Int64($0) } ?? -1)
        return apps.count - 1
    }

    /// Adds the statement that gives positions to the rows, which stay locked until the commit, and writes them.
    func write(node: Int16, to pipeline: StatementList) {
        pipeline.add(
            """
            WITH head AS (UPDATE customMessageHead SET position = position + $1 RETURNING position)
            INSERT INTO customMessage (position, node, app, message, expiresAt, onlyOrdinal)
            SELECT head.position - $1 + place, $2::bigint, app, message, expiresAt, nullif(onlyOrdinal, -1)
            FROM head, unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                WITH ORDINALITY AS row (app, message, expiresAt, onlyOrdinal, place)
            RETURNING position
            """,
            .int64(Int64(apps.count)),
            .int64(Int64(node)),
            .int64s(apps),
            .int64s(messages),
            .int64s(expiries),
            .int64s(ordinals)
        )
    }

    /// Returns the position of the first row, from results of which the last is that of ``write(node:to:)``.
    ///
    /// - Throws: ``CorruptRow`` if there is no last position in the database.
    func first(of results: [PostgresRows]) throws -> Int64 {
        guard let first = results.last?.map({ $0.int64(0) }).min() else {
            throw CorruptRow(table: "customMessageHead", column: "position", found: "no row")
        }
        return first
    }
}
