package import Foundation
import PostgresClient
import PushModel
package import PushService
package import PushStoreSQL

/// A connection within a transaction.
package final class StoreSession: SQLSession {
    let connection: PostgresConnection
    let node: Int16
    /// Whether events for callbacks were written; after the commit their signal is raised.
    var hasCallbackEvents = false

    init(_ connection: PostgresConnection, node: Int16 = PostgresStore.commandNode) {
        self.connection = connection
        self.node = node
    }

    package static var dialect: SQLDialect { .postgres }

    @discardableResult
    package func execute(_ statement: SQLStatement) throws -> Int {
        try connection.execute(statement.numberedText, statement.values.map(PostgresValue.init)).affected
    }

    package func forEach(_ query: SQLStatement, body: (any SQLRow) throws -> Void) throws {
        for row in try connection.execute(query.numberedText, query.values.map(PostgresValue.init)) { try body(row) }
    }

    package func queue(_ statement: SQLStatement) {
        connection.queue((statement.numberedText, statement.values.map(PostgresValue.init)))
    }

    package func lockRows(_ query: SQLStatement, lock: SQLRowLock) { queue("\(query) \(raw: lock.rawValue)") }

    package func lock(_ lock: SQLLock) {
        switch lock {
        case .text(let name, let space):
            connection.queue("SELECT pg_advisory_xact_lock(hashtextextended($1, $2))", .text(name), .int64(space))
        case .number(let number): connection.queue("SELECT pg_advisory_xact_lock($1)", .int64(number))
        case .table(let table): connection.queue("LOCK TABLE \(table) IN SHARE ROW EXCLUSIVE MODE")
        }
    }

    package func announce(_ changes: [SQLAnnouncement]) throws { try addToLog(changes.map { NewLogEntry($0) }) }

    package func noteCallbackEvents() { hasCallbackEvents = true }

    package func unfold(_ messages: [Int64]) throws { try PostgresStore.unfold(messages, in: connection) }

    package func insert(_ events: [JourneyEntry]) { PostgresStore.insert(events, in: connection) }

    package func chunks(
        with ordinals: [DeviceOrdinal],
        of kinds: [Chunk.Kind],
        in message: Int64
    ) throws -> [FoundChunk] {
        let chunks = ChunkPlaces(of: message, in: connection)
        return try kinds.flatMap { try chunks.find(ordinals, $0) }
    }
}

extension PostgresValue {
    fileprivate init(_ value: SQLValue) {
        self =
            switch value {
            case .bool(let value): .bool(value)
            case .bytes(let value): .bytes(value)
            case .int64(let value): .int64(value)
            case .text(let value): .text(value)
            case .int64s(let values): .int64s(values)
            case .texts(let values): .texts(values)
            }
    }
}

extension PostgresRow: SQLRow {}

extension PostgresStore: SQLStore {
    package func queryOnce<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value { try await readOnce { [node] in try body(StoreSession($0, node: node)) } }

    package func store(_ pushes: [PreparedPush], cidsSince: Date, in session: StoreSession) throws {
        let request = AcceptRequest(pushes: pushes, cidsSince: cidsSince)
        _ = try AcceptRequest.store([request], node: node, in: session)
    }

    package static func isDuplicate(_ error: any Error) -> Bool {
        guard case PostgresError.refused(sqlState: PostgresError.uniqueViolation, _) = error else { return false }
        return true
    }

    package func reportDamage(_ row: String, _ error: CorruptRow) { damaged("\(row): \(error)") }
}
