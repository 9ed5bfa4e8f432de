import Foundation
import GRDB
import GRDBSQLite
import PushService

/// The current row of a statement; columns are counted from 0.
///
/// It uses SQLite's C API: for thousands of reads per second, rows with named columns would cost more than SQLite.
@safe
struct StatementRow {
    // Used only by the thread that currently has the database; valid as long as its owner, which is retained for this.
    private let statement: OpaquePointer
    private let owner: Statement

    init(_ statement: Statement) {
        owner = statement
        unsafe self.statement = statement.sqliteStatement
    }

    /// Advances to the next row.
    ///
    /// - Returns: false if there is none.
    func step() throws -> Bool {
        let code = unsafe sqlite3_step(statement)
        if code == SQLITE_DONE { return false }
        guard code == SQLITE_ROW else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return true
    }

    func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(statement, CInt(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// Returns an integer; 0 for null.
    func int64(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(statement, CInt(truncatingIfNeeded: column)) }

    func optionalInt64(_ column: Int) -> Int64? { isNull(column) ? nil : int64(column) }

    /// Returns the octets of a text or a blob, owned by SQLite and valid until the next step; nil for null.
    @unsafe
    func octets(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        let value = unsafe sqlite3_column_value(statement, CInt(truncatingIfNeeded: column))
        // The order matters: requesting the octets may change their number.
        guard let start = unsafe sqlite3_value_blob(value) else {
            // The pointer is also null for an empty value.
            let isNull = unsafe sqlite3_value_type(value) == SQLITE_NULL
            return unsafe isNull ? nil : UnsafeBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self),
            count: Int(sqlite3_value_bytes(value))
        )
    }

    /// Returns the bytes of a blob; none for null.
    func bytes(_ column: Int) -> [UInt8] { optionalBytes(column) ?? [] }

    func optionalText(_ column: Int) -> String? {
        unsafe octets(column).map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a text; empty for null.
    func text(_ column: Int) -> String { optionalText(column) ?? "" }

    func optionalBytes(_ column: Int) -> [UInt8]? { unsafe octets(column).map { unsafe Array($0) } }

    func bool(_ column: Int) -> Bool { int64(column) != 0 }
}
