package import Foundation
import GRDB
package import PushModel
package import PushService
package import PushStoreSQL

/// The database within a transaction, for the statements that both engines share.
package struct SQLiteSession: SQLSession {
    let database: Database

    package static var dialect: SQLDialect { .sqlite }

    @discardableResult
    package func execute(_ statement: SQLStatement) throws -> Int {
        var binding = try StatementBinding(statement, in: database)
        try binding.execute(in: database)
        return database.changesCount
    }

    package func forEach(_ query: SQLStatement, body: (any SQLRow) throws -> Void) throws {
        var binding = try StatementBinding(query, in: database)
        try binding.forEach(in: database) { row in
            try body(copy row)
            return true
        }
    }

    package func queue(_ statement: SQLStatement) throws { _ = try execute(statement) }

    package func lock(_ lock: SQLLock) {}

    package func lockRows(_ query: SQLStatement, lock: SQLRowLock) {}

    package func forgetCIDs(ofBatch id: MessageID) {}

    package func announce(_ changes: [SQLAnnouncement]) {}

    package func noteCallbackEvents() throws { try database.notifyChanges(in: CallbackObserver.events) }

    package func unfold(_ messages: [Int64]) throws {
        for message in messages { try SQLiteStore.unfold(message, in: database) }
    }

    package func insert(_ events: [JourneyEntry]) throws { try SQLiteStore.insert(events, into: database) }

    package func chunks(
        with ordinals: [DeviceOrdinal],
        of kinds: [Chunk.Kind],
        in message: Int64
    ) throws -> [FoundChunk] {
        let chunks = try ChunkPlaces(of: message, in: database)
        return try kinds.flatMap { try chunks.find(ordinals, $0) }
    }
}

extension StatementBinding {
    init(_ statement: SQLStatement, in database: Database) throws {
        try self.init(statement.text, in: database)
        for value in statement.values { bind(value) }
    }

    mutating func bind(_ value: SQLValue) {
        switch value {
        case .bool(let value): bind(value.map { $0 ? 1 : 0 })
        case .bytes(let value): if let value { bind(value.span) } else { bindNull() }
        case .int64(let value): bind(value)
        case .text(let value): bind(value)
        case .int64s(let values): bind("[\(values.map(String.init).joined(separator: ","))]")
        case .texts(let values): bind(JSONValue.array(values.map { .string($0) }).text)
        }
    }
}

extension StatementRow: SQLRow {}

extension SQLiteStore: SQLStore {
    package func query<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteSession) throws -> Value
    ) async throws -> Value { try await read { try body(SQLiteSession(database: $0)) } }

    package func queryOnce<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteSession) throws -> Value
    ) async throws -> Value { try await query(body) }

    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteSession) throws -> Value
    ) async throws -> Value { try await writes.write { try body(SQLiteSession(database: $0)) } }

    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteSession) throws -> Value,
        unlessAnswered find: @escaping @Sendable (SQLiteSession) throws -> Bool
    ) async throws -> Value { try await change(body) }

    package func store(_ pushes: [PreparedPush], cidsSince: Date, in session: SQLiteSession) throws {
        _ = try insert(pushes, cidsSince: cidsSince, into: session.database)
    }

    package func rotateCIDs(usedBefore date: Date) {}

    package static func isDuplicate(_ error: any Error) -> Bool {
        let code = (error as? DatabaseError)?.extendedResultCode
        return code == .SQLITE_CONSTRAINT_UNIQUE || code == .SQLITE_CONSTRAINT_PRIMARYKEY
    }

    package func reportDamage(_ row: String, _ error: CorruptRow) { damage.note(row, error) }
}
