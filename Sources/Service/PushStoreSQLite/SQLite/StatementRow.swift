import Foundation
import GRDB
import GRDBSQLite
import PushService

/// The current row of a statement; columns are counted from 0.
///
/// It uses SQLite's C API: for thousands of reads per second, rows with named columns would cost more than SQLite.
@safe
struct StatementRow: ~Copyable {
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

    func isNull(_ column: CInt) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// Returns an integer; 0 for null.
    func integer(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    func optionalInteger(_ column: CInt) -> Int64? { isNull(column) ? nil : integer(column) }

    /// Returns the octets of a text or a blob, owned by SQLite and valid until the next step; nil for null.
    @unsafe
    func octets(_ column: CInt) -> UnsafeBufferPointer<UInt8>? {
        let value = unsafe sqlite3_column_value(statement, column)
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
    func bytes(_ column: CInt) -> [UInt8] { unsafe octets(column).map { unsafe Array($0) } ?? [] }

    func optionalText(_ column: CInt) -> String? {
        unsafe octets(column).map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a text; empty for null.
    func text(_ column: CInt) -> String { optionalText(column) ?? "" }

    func date(_ column: CInt) -> Date { Date(milliseconds: integer(column)) }

    /// Returns one of the values that the column may have.
    func word<Word: RawRepresentable<String>>(_ column: CInt, _ name: String, of table: String) throws -> Word {
        let text = text(column)
        guard let word = Word(rawValue: text) else { throw CorruptRow(table: table, column: name, found: text) }
        return word
    }
}
