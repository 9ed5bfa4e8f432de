import Foundation
import GRDB
import GRDBSQLite

/// The row at which a statement stands; its columns are counted from 0.
///
/// On SQLite's own interface: what is read thousands of times a second would cost more in rows that know their columns by name than
/// in SQLite.
@safe
struct StatementRow: ~Copyable {
    // Used by the thread alone that has the database just now; lives as long as its owner, which is kept for that.
    private let statement: OpaquePointer
    private let owner: Statement

    init(_ statement: Statement) {
        owner = statement
        unsafe self.statement = statement.sqliteStatement
    }

    /// Goes on to the next row.
    ///
    /// - Returns: false if there is none.
    func step() throws -> Bool {
        let code = unsafe sqlite3_step(statement)
        if code == SQLITE_DONE { return false }
        guard code == SQLITE_ROW else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return true
    }

    func isNull(_ column: CInt) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// 0 for null.
    func integer(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    func optionalInteger(_ column: CInt) -> Int64? { isNull(column) ? nil : integer(column) }

    /// Of a text or a blob, which are SQLite's and good until the next step; nil for null.
    @unsafe
    func octets(_ column: CInt) -> UnsafeBufferPointer<UInt8>? {
        let value = unsafe sqlite3_column_value(statement, column)
        // In this order: asking for the octets may change their number.
        guard let start = unsafe sqlite3_value_blob(value) else {
            // It has none for what is empty either.
            let isNull = unsafe sqlite3_value_type(value) == SQLITE_NULL
            return unsafe isNull ? nil : UnsafeBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self),
            count: Int(sqlite3_value_bytes(value))
        )
    }

    /// None for null.
    func bytes(_ column: CInt) -> [UInt8] { unsafe octets(column).map { unsafe Array($0) } ?? [] }

    func optionalText(_ column: CInt) -> String? {
        unsafe octets(column).map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Empty for null.
    func text(_ column: CInt) -> String { optionalText(column) ?? "" }

    func date(_ column: CInt) -> Date { Date(milliseconds: integer(column)) }

    /// A word of those that the column may hold.
    func word<Word: RawRepresentable<String>>(_ column: CInt, _ name: String, of table: String) throws -> Word {
        let text = text(column)
        guard let word = Word(rawValue: text) else { throw CorruptRow(table: table, column: name, found: text) }
        return word
    }
}
