import PostgresClient
import PushService

/// A table that rows of another store are copied to.
struct PostgresTable {
    private enum Kind: UInt32 {
        case bool = 16
        case bytes = 17
        case int64 = 20
        case text = 25
    }

    /// The tables with data of apps, devices and pushes.
    static let data = [
        "app", "developer", "appGroup", "user", "audit", "device", "message", "schedule", "customMessage", "cid",
        "usedCID",
    ]

    /// The columns that only this store has, with their values.
    private static let own: [String: [(column: String, value: PostgresValue?)]] = [
        // The node of commands.
        "message": [("node", .int64(0))], "customMessage": [("node", .int64(0))],
        // No checkpoint of another store is repeated here.
        "chunk": [("checkpoint", nil)],
    ]

    private let name: String
    /// The columns to read, in the order of the values.
    let sourceColumns: [String]
    private let kinds: [Kind]
    private let constants: [(column: String, value: PostgresValue)]

    /// Reads the columns of a table, which must be those of the other store.
    ///
    /// - Throws: ``PostgresImport/Problem`` if the tables do not have the same columns.
    init(_ name: String, columns: [String], in connection: PostgresConnection) throws {
        let rows = try connection.execute(
            """
            SELECT attname::text, atttypid::bigint FROM pg_attribute
            WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
            """,
            .text(Self.quoted(name))
        )
        let known = Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), UInt32(truncatingIfNeeded: $0.int64(1))) })
        let own = Self.own[name] ?? []
        let missing = Set(known.keys).subtracting(columns.map { $0.lowercased() }).subtracting(own.map(\.column))
        kinds = try columns.map { column in
            guard let kind = known[column.lowercased()].flatMap(Kind.init(rawValue:)) else {
                throw PostgresImport.Problem(
                    description: "The table '\(name)' of PostgreSQL has no column '\(column)'."
                )
            }
            return kind
        }
        guard missing.isEmpty else {
            throw PostgresImport.Problem(
                description: "The table '\(name)' of SQLite has no column \(missing.sorted().joined(separator: ", "))."
            )
        }
        self.name = name
        sourceColumns = columns
        constants = own.compactMap { column, value in value.map { (column, $0) } }
    }

    /// `user` is a reserved word; the other names are stored in lower case.
    static func quoted(_ table: String) -> String { table == "user" ? "\"user\"" : table }

    /// The table with its columns, as `COPY` takes it.
    var target: String { "\(Self.quoted(name)) (\((sourceColumns + constants.map(\.column)).joined(separator: ", ")))" }

    /// Converts a row.
    ///
    /// - Throws: ``PostgresImport/Problem`` for a value of another type than the column's.
    func values(_ row: [StoredValue]) throws -> [PostgresValue] {
        try zip(row, zip(kinds, sourceColumns)).map { value, column in
            guard let converted = Self.value(value, column.0) else {
                throw PostgresImport.Problem(
                    description:
                        "A row of the table '\(name)' has an unexpected value in the column '\(column.1)': \(value)."
                )
            }
            return converted
        } + constants.map(\.value)
    }

    private static func value(_ value: StoredValue, _ kind: Kind) -> PostgresValue? {
        switch (kind, value) {
        case (.bool, .null): .bool(nil)
        case (.bool, .integer(let number)): .bool(number != 0)
        case (.bytes, .null): .bytes(nil)
        case (.bytes, .bytes(let bytes)): .bytes(bytes)
        case (.bytes, .text(let text)): .bytes(Array(text.utf8))
        case (.int64, .null): .int64(nil)
        case (.int64, .integer(let number)): .int64(number)
        case (.text, .null): .text(nil)
        // PostgreSQL's text has no NUL. Neither have values read from SQLite: a text ends there at its first NUL, for the service too.
        case (.text, .text(let text)): .text(text)
        case (.text, .integer(let number)): .text("\(number)")
        default: nil
        }
    }

    /// Returns a statement for each column whose values are assigned, which makes them begin after those that are there.
    static func identities(in connection: PostgresConnection) throws -> [String] {
        try connection.execute(
            """
            SELECT relname::text, attname::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            WHERE attidentity <> '' AND relnamespace = current_schema()::regnamespace
            """
        ).map { row in
            let table = row.text(0)
            let column = row.text(1)
            return """
                SELECT setval(pg_get_serial_sequence('"\(table)"', '\(column)'), coalesce(max("\(column)"), 1),
                    count(*) > 0) FROM "\(table)"
                """
        }
    }
}

extension PostgresValue {
    /// The approximate number of bytes.
    var size: Int {
        switch self {
        case .bytes(let bytes): bytes?.count ?? 0
        case .text(let text): text?.utf8.count ?? 0
        default: 8
        }
    }
}
