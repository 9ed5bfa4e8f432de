import Foundation
import PostgresClient
import PushModel
import PushService
import PushStoreSQL

/// The rows of accepted pushes, so that one statement writes all rows of a table.
struct PushRows {
    private static let message = Insertion(
        into: "message",
        """
        id, app, acceptedAt, body, environment, timeToLive, sendno, cid, requestID, trace, lane, unstarted, chunkCount,
        lastID, node
        """
    )
    private static let batch = Insertion(into: "batch", "first, acceptedAt, count, kind, names, texts")
    private static let chunk = Insertion(
        into: "chunk",
        """
        message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, updatedAt, lane
        """
    )
    private static let voipPush = Insertion(into: "voipPush", "message, voip")

    private let node: Int16
    private var messages: [[SQLValue]] = []
    private var batches: [[SQLValue]] = []
    private var chunks: [[SQLValue]] = []
    private var voipPushes: [[SQLValue]] = []
    /// App, message, expiry, and the only device.
    private var logged: [[SQLValue]] = []
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
        if let origin { voipPushes.append([.message(origin), .message(message.id)]) }
        if push.isFollowed { callbacks.append((push, origin ?? message.id)) }
        let only = push.onlyChunk
        messages.append([
            .message(message.id), .app(message.app), .date(message.acceptedAt), .bytes(message.body),
            .word(message.environment), .int64(message.timeToLive), .int64(Int64(message.sendno)), .text(message.cid),
            .text(message.origin?.requestID), .text(message.origin?.storedTrace), .int64(message.lane.number),
            .bytes(only?.ordinals.packed), .int(push.chunks.count), .int64(message.batch?.entries.last?.id.number),
            .int64(Int64(node)),
        ])
        if let entries = message.batch?.entries {
            batches.append([
                .message(message.id), .date(message.acceptedAt), .int(entries.count), .word(message.batch?.kind),
                .bytes(BatchNames.packed(entries)), .bytes(BatchTexts.packed(entries)),
            ])
        }
        guard only == nil else { return nil }
        for chunk in push.chunks {
            let devices = chunk.ordinals.ordinals
            chunks.append([
                .message(chunk.id.message), .int(chunk.id.number), .app(message.app), .word(chunk.kind),
                .bytes(chunk.ordinals.packed), .ordinal(devices.first ?? 0), .ordinal(devices.last ?? 0),
                .bool(push.isPaced), .date(chunk.dueAt), .bool(chunk.isDone), .date(chunk.updatedAt),
                .int64(message.lane.number),
            ])
        }
        guard push.isLogged else { return nil }
        let device = push.onlyLinkedDevice.map { Int64($0) }
        logged.append([.app(message.app), .message(message.id), .date(message.expiresAt), .int64(device)])
        return logged.count - 1
    }

    /// Writes the rows, or queues the statements for them if no result is needed: they are sent with the commit then.
    ///
    /// - Returns: the log position of the first custom message; the others follow it.
    /// - Throws: an error of the server.
    func write(in session: StoreSession) throws -> Int64 {
        let connection = session.connection
        Self.message.queue(messages, in: connection)
        Self.batch.queue(batches, in: connection)
        Self.chunk.queue(chunks, in: connection)
        Self.voipPush.queue(voipPushes, in: connection)
        // In the same order at all nodes, as new receivers stay locked until the commit.
        let sorted = callbacks.sorted { ($0.push.callback?.url ?? "") < ($1.push.callback?.url ?? "") }
        for (push, origin) in sorted { try CallbackNotes.insert(push, as: origin, in: session) }
        // Last, because the positions are locked from here to the commit.
        return logged.isEmpty ? 0 : try log(in: connection)
    }

    /// Gives positions to the custom messages, and writes them to the log.
    ///
    /// - Returns: the first position.
    private func log(in connection: PostgresConnection) throws -> Int64 {
        let rows = try connection.execute(
            """
            WITH head AS (UPDATE customMessageHead SET position = position + $1 RETURNING position)
            INSERT INTO customMessage (position, node, app, message, expiresAt, onlyOrdinal)
            SELECT head.position - $1 + place, $2::bigint, app, message, expiresAt, onlyOrdinal
            FROM head, unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                WITH ORDINALITY AS row (app, message, expiresAt, onlyOrdinal, place)
            RETURNING position
            """,
            [.int64(Int64(logged.count)), .int64(Int64(node))] + PostgresValue.columns(of: logged)
        )
        guard let first = rows.map({ $0.int64(0) }).min() else {
            throw CorruptRow(table: "customMessageHead", column: "position", found: "no row")
        }
        return first
    }
}

extension PostgresValue {
    static func app(_ app: App.ID) -> PostgresValue { .int64(Int64(app)) }
    static func message(_ id: MessageID) -> PostgresValue { .int64(id.number) }
    static func ordinal(_ ordinal: DeviceOrdinal) -> PostgresValue { .int64(Int64(ordinal)) }
    static func date(_ date: Date) -> PostgresValue { .int64(date.milliseconds) }
    static func numbers(_ numbers: [some BinaryInteger]) -> PostgresValue { .int64s(numbers.map { Int64($0) }) }

    /// An array of values, all of the same type.
    static func array(_ values: [SQLValue]) -> PostgresValue {
        switch values.first {
        case .bool: .bools(values.map { if case .bool(let value) = $0 { value } else { nil } })
        case .bytes: .byteArrays(values.map { if case .bytes(let value) = $0 { value } else { nil } })
        case .text: .texts(values.map { if case .text(let value) = $0 { value } else { nil } })
        case .int64, .int64s, .texts, nil: .int64s(values.map { if case .int64(let value) = $0 { value } else { nil } })
        }
    }

    /// Returns an array for each column of rows.
    static func columns(of rows: [[SQLValue]]) -> [PostgresValue] {
        rows.first.map { first in first.indices.map { column in .array(rows.map { $0[column] }) } } ?? []
    }
}

/// The statement that writes rows of a table.
struct Insertion {
    private let sql: String

    /// Creates the statement from the columns; the values have their types.
    init(into table: String, _ columns: String) {
        let arrays = columns.split(separator: ",").indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        sql = "INSERT INTO \(table) (\(columns)) SELECT * FROM unnest(\(arrays))"
    }

    /// Queues the statement for rows, if there are any.
    func queue(_ rows: [[SQLValue]], in connection: PostgresConnection) {
        if !rows.isEmpty { connection.queue((sql, PostgresValue.columns(of: rows))) }
    }
}
