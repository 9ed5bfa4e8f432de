import Foundation
import PostgresClient
import PushModel
import PushService

extension PostgresValue {
    static func optional(_ number: Int64?) -> PostgresValue { .int64(number) }
    static func optional(_ text: String?) -> PostgresValue { .text(text) }
    static func app(_ app: App.ID) -> PostgresValue { .int64(Int64(app)) }
    static func message(_ id: MessageID) -> PostgresValue { .int64(id.number) }
    static func ordinal(_ ordinal: DeviceOrdinal) -> PostgresValue { .int64(Int64(ordinal)) }
    static func date(_ date: Date) -> PostgresValue { .int64(date.milliseconds) }
}

extension PostgresRow {
    func date(_ column: Int) -> Date { Date(milliseconds: int64(column)) }

    /// - Throws: ``CorruptRow`` for an unknown word.
    func word<Word: RawRepresentable<String>>(_ column: Int, _ name: String, of table: String) throws -> Word {
        let found = text(column)
        guard let word = Word(rawValue: found) else { throw CorruptRow(table: table, column: name, found: found) }
        return word
    }
}

extension Message {
    /// The columns for ``init(_:)``, in order.
    static let columns = "id, app, acceptedAt, body, environment, timeToLive, sendno, cid, requestID, trace"
    /// The number of columns.
    static let columnCount = 10

    init(_ row: PostgresRow) throws {
        self.init(
            id: MessageID(row.int64(0)),
            app: App.ID(truncatingIfNeeded: row.int64(1)),
            acceptedAt: row.date(2),
            body: row.bytes(3),
            environment: try row.word(4, "environment", of: "message"),
            timeToLive: row.int64(5),
            sendno: UInt32(truncatingIfNeeded: row.int64(6)),
            cid: row.optionalText(7)
        )
        origin = row.optionalText(8).map { RequestOrigin(requestID: $0, stored: row.optionalText(9)) }
    }
}

extension Chunk {
    /// The columns for ``init(_:)``, in order.
    static let columns = """
        message, number, kind, ordinals, dueAt, updatedAt, attempt, cursor, prepared, sent, settled, deferred, fence, origin,
        isDone, problem
        """
    /// The number of columns.
    static let columnCount = 16

    init(_ row: PostgresRow) throws {
        self.init(
            id: ID(message: MessageID(row.int64(0)), number: Int(row.int64(1))),
            kind: try row.word(2, "kind", of: "chunk"),
            ordinals: OrdinalList(packed: row.bytes(3)),
            dueAt: row.date(4),
            updatedAt: row.date(5)
        )
        attempt = Int(row.int64(6))
        cursor = Int(row.int64(7))
        prepared = Int(row.int64(8))
        sent = PlaceSet(bytes: row.bytes(9))
        settled = PlaceSet(bytes: row.bytes(10))
        deferred = PlaceSet(bytes: row.bytes(11))
        fence = row.int64(12)
        origin = row.optionalInt64(13).map { Int($0) }
        isDone = row.bool(14)
        if let text = row.optionalText(15) { problem = try JourneyEvent(stored: text).kind }
    }

    /// Reads chunks, and whether they are leased.
    ///
    /// - Parameters:
    ///   - source: the query from `FROM` on.
    ///   - values: its parameters.
    ///   - connection: the connection.
    /// - Returns: the chunks in the order of the query.
    /// - Throws: ``CorruptRow``, or an error of the server.
    static func read(
        _ source: String,
        _ values: [Int64],
        in connection: PostgresConnection
    ) throws -> [(chunk: Chunk, isLeased: Bool)] {
        try connection.execute("SELECT \(columns), leaseOwner \(source)", values.map { .int64($0) }).map { row in
            (try Chunk(row), row.optionalInt64(columnCount) != nil)
        }
    }
}
