import Foundation
import GRDB
import GRDBSQLite
import PushModel
package import PushService

/// The scan of all devices with which a service starts: a million of them are to be there within a second, so rows are read
/// from SQLite's own interface, without an object for each row and each value.
extension SQLiteStore {
    /// Rows that are handed over together.
    private static let batch = 4096

    package func audience(_ each: @escaping @Sendable ([AudienceEntry]) -> Void) async throws {
        try await database.read { database in
            let statement = try database.makeStatement(
                sql: """
                    SELECT app, ordinal, version, token, environment = 'production', alias, tags, badge, lastSeen
                    FROM device
                    """
            )
            var entries: [AudienceEntry] = []
            entries.reserveCapacity(Self.batch)
            let row = unsafe DeviceRow(statement: statement.sqliteStatement)
            while try row.step() {
                entries.append(try row.entry())
                guard entries.count == Self.batch else { continue }
                each(entries)
                entries.removeAll(keepingCapacity: true)
            }
            each(entries)
        }
    }
}

/// The row at which a statement stands. Good as long as the statement is.
@safe
private struct DeviceRow: ~Copyable {
    // Used by the thread alone that reads from the database just now, and no longer than the statement lives.
    private let statement: OpaquePointer

    init(statement: OpaquePointer) { unsafe self.statement = statement }

    func step() throws -> Bool {
        let code = unsafe sqlite3_step(statement)
        if code == SQLITE_DONE { return false }
        guard code == SQLITE_ROW else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return true
    }

    func entry() throws -> AudienceEntry {
        AudienceEntry(
            id: DeviceID(
                app: App.ID(truncatingIfNeeded: integer(0)),
                ordinal: DeviceOrdinal(truncatingIfNeeded: integer(1))
            ),
            version: UInt32(truncatingIfNeeded: integer(2)),
            token: isNull(3) ? nil : token(3),
            environment: integer(4) == 1 ? .production : .development,
            alias: isNull(5) ? nil : text(5),
            tags: try tags(6),
            badge: Int(integer(7)),
            lastSeen: Date(milliseconds: integer(8))
        )
    }

    private func integer(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    private func isNull(_ column: CInt) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    private func token(_ column: CInt) -> DeviceToken { unsafe DeviceToken(bytes: bytes(column)) }

    private func text(_ column: CInt) -> String { unsafe String(decoding: bytes(column), as: UTF8.self) }

    /// A JSON array of texts, in which nearly never anything is escaped.
    private func tags(_ column: CInt) throws -> [String] {
        let json = unsafe bytes(column)
        guard unsafe !json.contains(UInt8(ascii: "\\")) else {
            let names = (try? JSONValue(parsing: text(column)))?.array?.compactMap(\.string)
            guard let names else { throw CorruptRow(table: "device", column: "tags", found: text(column)) }
            return names
        }
        // Every other part between quotation marks is a tag, and the rest are brackets and commas.
        let parts = unsafe json.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return unsafe stride(from: 1, to: parts.count, by: 2).map { unsafe String(decoding: parts[$0], as: UTF8.self) }
    }

    /// The octets of a text or a blob, which are SQLite's and good until the next step.
    private func bytes(_ column: CInt) -> UnsafeRawBufferPointer {
        // In this order: asking for the octets may change their number.
        let start = unsafe sqlite3_column_blob(statement, column)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}
