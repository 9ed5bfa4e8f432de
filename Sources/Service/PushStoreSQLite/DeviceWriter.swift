import Foundation
import GRDB
import GRDBSQLite
import PushModel
import PushService

/// Writes rows of devices, new or not, in one transaction.
///
/// On SQLite's own interface: a file of a million devices is to be taken in within seconds, and values in between would
/// cost as much as SQLite does.
struct DeviceWriter {
    let database: Database
    let tokens: TokenIndex
    private let statement: Statement

    init(database: Database, tokens: TokenIndex) throws {
        self.database = database
        self.tokens = tokens
        // Looked up once: its text is long.
        statement = try database.cachedStatement(sql: Self.upsert)
    }

    func write(_ device: Device) throws {
        tokens.note(device)
        var row = unsafe Binding(statement: statement.sqliteStatement)
        row.bind(Int64(device.id.app))
        row.bind(Int64(device.id.ordinal))
        row.bind(device.installation)
        row.bind(device.secretHash.bytes.span)
        if let token = device.token { token.withBytes { row.bind($0) } } else { row.bindNull() }
        row.bind(device.environment.rawValue)
        row.bind(device.tokenRegisteredAt.milliseconds)
        row.bind(device.alias)
        row.bind(JSONValue.array(device.tags.map { .string($0) }).text)
        row.bind(device.mobile)
        row.bind(Int64(device.badge))
        row.bind(device.system)
        row.bind(device.channel)
        row.bind(device.lastSeen.milliseconds)
        row.bind(Int64(device.version))
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

extension Device {
    /// Writes the row, new or not.
    func save(to database: Database, _ tokens: TokenIndex) throws {
        try DeviceWriter(database: database, tokens: tokens).write(self)
    }
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
