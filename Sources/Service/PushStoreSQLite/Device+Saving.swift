import Foundation
import GRDB
import GRDBSQLite
import PushModel
import PushService

extension Device {
    /// Writes the row, new or not.
    ///
    /// On SQLite's own interface: a file of a million devices is to be taken in within seconds, and values in between would
    /// cost as much as SQLite does.
    func save(to database: Database, _ tokens: TokenIndex) throws {
        tokens.note(self)
        let statement = try database.cachedStatement(sql: Self.upsert)
        var row = unsafe Binding(statement: statement.sqliteStatement)
        row.bind(Int64(id.app))
        row.bind(Int64(id.ordinal))
        row.bind(installation)
        row.bind(secretHash.bytes.span)
        if let token { token.withBytes { row.bind($0) } } else { row.bindNull() }
        row.bind(environment.rawValue)
        row.bind(tokenRegisteredAt.milliseconds)
        row.bind(alias)
        row.bind(JSONValue.array(tags.map { .string($0) }).text)
        row.bind(mobile)
        row.bind(Int64(badge))
        row.bind(system)
        row.bind(channel)
        row.bind(lastSeen.milliseconds)
        row.bind(Int64(version))
        try row.execute(in: database)
    }

    private static let columns = [
        "app", "ordinal", "installation", "secretHash", "token", "environment", "tokenRegisteredAt", "alias", "tags",
        "mobile", "badge", "system", "channel", "lastSeen", "version",
    ]

    private static let upsert = """
        INSERT INTO device (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (app, ordinal) DO UPDATE SET \(columns.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """
}

/// Gives a statement its values, one after the other, and runs it.
@safe
private struct Binding: ~Copyable {
    // Used by the thread alone that writes to the database just now, and no longer than the statement lives.
    private let statement: OpaquePointer
    private var column: CInt = 0
    private var problem = SQLITE_OK

    init(statement: OpaquePointer) {
        unsafe self.statement = statement
        unsafe sqlite3_reset(statement)
    }

    mutating func bind(_ number: Int64) {
        column += 1
        note(unsafe sqlite3_bind_int64(statement, column, number))
    }

    mutating func bindNull() {
        column += 1
        note(unsafe sqlite3_bind_null(statement, column))
    }

    mutating func bind(_ text: String?) {
        guard var text else { return bindNull() }
        column += 1
        // SQLite copies what it is given.
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

    func execute(in database: Database) throws {
        let code = problem == SQLITE_OK ? unsafe sqlite3_step(statement) : problem
        // What was bound lives until it is replaced; a statement that is reset holds no lock.
        unsafe sqlite3_reset(statement)
        guard code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
        }
    }
}
