import Foundation
import GRDB
import PushModel
package import PushService

/// The rows of an SQLite database that no service uses.
package final class SQLiteRows: RowSource {
    private let database: DatabaseQueue

    /// Opens a database, which ``SQLiteStore`` must have migrated, for reading.
    package init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        do { database = try DatabaseQueue(path: path, configuration: configuration) } catch {
            throw DatabaseProblem(opening: path, error) ?? error
        }
    }

    package let tables = [
        "setting", "app", "appCredential", "developer", "ownedApp", "appGroup", "appGroupMember",
        "audienceFile", "segment", "user", "audit", "device", "tag", "importedID", "channelToken", "deviceFloor",
        "message", "batch", "chunk",
        "journeyEvent", "stepEvent", "voipPush", "takeBackOrder", "groupPush", "groupPushMessage", "broadcast",
        "destinationPause",
        "chunkReport",
        "deviceUse", "deviceUseCount", "deletedMessage", "schedule", "scheduleCID", "scheduleFiring",
        "pushTemplate", "pushPlan", "planMessage", "customMessage", "messageCursor", "callbackReceiver", "callback",
        "callbackEvent", "callbackCount", "eventStream", "appEvent", "topic", "topicDecline", "topicUse",
    ]

    /// The rows that are left out: the next message id has a place of its own.
    private static let conditions = ["setting": "key <> 'nextMessageID'"]
    /// The values of columns that are not copied as they are.
    private static let values = [
        // Null stands for all chunks.
        "message": ["chunkCount": "coalesce(chunkCount, \(Int64.max))"],
        // No worker is left that could have leased one.
        "chunk": ["leaseOwner": "NULL", "leasedUntil": "NULL"],
    ]

    package func columns(of table: String) throws -> [String] { try read { try $0.columns(in: table).map(\.name) } }

    package func count(of table: String) throws -> Int {
        try read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM \"\(table)\" \(Self.condition(of: table))") ?? 0
        }
    }

    private static func condition(of table: String) -> String { conditions[table].map { "WHERE \($0)" } ?? "" }

    package func rows(
        of table: String,
        columns: [String],
        skipping skipped: Int,
        _ body: ([StoredValue]) throws -> Void
    ) throws {
        try read { database in
            let key = try database.primaryKey(table)
            let order = key.columns.map { "\"\($0)\"" }.joined(separator: ", ")
            let values = columns.map { Self.values[table]?[$0] ?? "\"\($0)\"" }.joined(separator: ", ")
            let cursor = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(values) FROM "\(table)" \(Self.condition(of: table))
                    ORDER BY \(order) LIMIT -1 OFFSET \(skipped)
                    """
            )
            while let row = try cursor.next() { try body(row.map { StoredValue($0.1) }) }
        }
    }

    package func cids(since date: Int64, _ body: (UsedCID) throws -> Void) throws {
        try read { database in
            // Those of schedules are kept for as long as their firings. A damaged batch has no cids that could be repeated.
            try UsedCID.read(from: database, inBatchesSince: date, DamageLog()) { used in
                if used.usedAt >= date || FiringKey.isKey(used.cid) { try body(used) }
            }
        }
    }

    package func nextMessage() throws -> Int64 {
        try read { database in
            try Int64.fetchOne(database, sql: "SELECT value FROM setting WHERE key = 'nextMessageID'") ?? 0
        }
    }

    package func lastCustomMessage() throws -> Int64 {
        try read { database in
            try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'customMessage'") ?? 0
        }
    }

    private func read<Value>(_ work: (Database) throws -> Value) throws -> Value {
        do { return try database.read(work) } catch { throw DatabaseProblem(error, in: database.path) ?? error }
    }

    /// Closes the database.
    package func close() throws { try database.close() }
}

extension StoredValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .bytes(Array(data))
        }
    }
}
