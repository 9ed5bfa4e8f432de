import Foundation
import GRDB
import GRDBSQLite
import PushService

/// Binds a statement's values one after the other, and runs it.
///
/// It uses SQLite's C API: for thousands of writes per second, intermediate values would cost more than SQLite.
@safe
struct StatementBinding: ~Copyable {
    // Used only by the thread that currently has the database; valid as long as its owner, which is retained for this.
    private let statement: OpaquePointer
    private let owner: Statement
    private var column: CInt = 0
    private var problem = SQLITE_OK

    init(_ statement: Statement) {
        owner = statement
        unsafe self.statement = statement.sqliteStatement
        unsafe sqlite3_reset(statement.sqliteStatement)
    }

    /// Prepares the statement once for each connection.
    init(_ sql: String, in database: Database) throws { self.init(try database.cachedStatement(sql: sql)) }

    mutating func bind(_ number: Int64) {
        column += 1
        note(unsafe sqlite3_bind_int64(statement, column, number))
    }

    mutating func bind(_ number: Int64?) { if let number { bind(number) } else { bindNull() } }

    mutating func bindNull() {
        column += 1
        note(unsafe sqlite3_bind_null(statement, column))
    }

    mutating func bind(_ text: String?) {
        guard var text else { return bindNull() }
        column += 1
        // SQLite copies the value.
        note(
            text.withUTF8 { octets in
                unsafe sqlite3_bind_text(
                    statement,
                    column,
                    UnsafeRawPointer(octets.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    CInt(octets.count),
                    Self.copies
                )
            }
        )
    }

    mutating func bind(_ octets: Span<UInt8>) {
        column += 1
        note(
            octets.isEmpty
                ? unsafe sqlite3_bind_zeroblob(statement, column, 0)
                : unsafe octets.withUnsafeBytes { octets in
                    unsafe sqlite3_bind_blob(statement, column, octets.baseAddress, CInt(octets.count), Self.copies)
                }
        )
    }

    /// `SQLITE_TRANSIENT`, which Swift does not import.
    private static var copies: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private mutating func note(_ code: CInt) { if problem == SQLITE_OK { problem = code } }

    /// Runs the statement; values bound afterwards belong to the next run.
    mutating func execute(in database: Database) throws {
        let code = problem == SQLITE_OK ? unsafe sqlite3_step(statement) : problem
        column = 0
        problem = SQLITE_OK
        // Bound values live until they are replaced; a reset statement holds no lock.
        unsafe sqlite3_reset(statement)
        guard code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
        }
    }

    /// Passes the rows of a query to `body` until it returns false; values bound afterwards belong to the next run.
    mutating func forEach(in database: Database, _ body: (borrowing StatementRow) throws -> Bool) throws {
        defer {
            column = 0
            problem = SQLITE_OK
            // A reset statement holds no lock.
            unsafe sqlite3_reset(statement)
        }
        guard problem == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: problem), message: database.lastErrorMessage)
        }
        let row = StatementRow(owner)
        while try row.step() { guard try body(row) else { return } }
    }

    /// Returns the first row of a query, converted by `read`; nil if there is none.
    mutating func first<Value>(
        in database: Database,
        _ read: (borrowing StatementRow) throws -> Value
    ) throws -> Value? {
        var found: Value?
        try forEach(in: database) { row in
            found = try read(row)
            return false
        }
        return found
    }
}

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

    func withOctets(_ column: Int, _ body: (Span<UInt8>) -> Void) {
        if let octets = unsafe octets(column) { unsafe body(octets.span) }
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
