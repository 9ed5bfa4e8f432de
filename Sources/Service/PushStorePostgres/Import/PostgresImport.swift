import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

/// Copies another store into an empty database. An interrupted copy continues where it stopped.
///
/// Until it is complete, the database has the name of its source, and `posthorn serve` refuses it.
package struct PostgresImport: Sendable {
    /// The setting that names the source of an unfinished copy.
    static let sourceKey = "copy.source"
    /// The setting with the source and the counts of a complete copy, until its end is known outside the database.
    private static let doneKey = "copy.done"
    /// The maximum number of rows in a transaction, and of their bytes.
    private static let mostRows = 5_000
    private static let mostBytes = 8 << 20

    private let store: PostgresStore

    /// Creates an import into a database that ``PostgresStore/migrate()`` has prepared.
    package init(into store: PostgresStore) { self.store = store }

    /// The reason why a copy is refused or cannot continue.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The state of a copy.
    package enum State: Hashable, Sendable {
        /// The database has this number of rows already.
        case copied(Int)
        /// The copy is complete, with these numbers of rows by table.
        case complete([String: Int])
    }

    /// Begins a copy of a source with a unique name, or continues one, and returns its state.
    ///
    /// - Throws: ``Problem`` if the database has other data; the error of the server.
    package func begin(_ source: String) async throws -> State {
        try await store.change { session in
            let connection = session.connection
            let done = try session.value(Self.doneKey)
            let facts = done.flatMap { try? JSONValue(parsing: $0) }?.object ?? [:]
            if facts["source"]?.string == source {
                let rows = facts["rows"]?.object?.members.map { ($0.key, Int($0.value.integer ?? 0)) } ?? []
                return .complete(Dictionary(rows) { $1 })
            }
            if let known = try session.value(Self.sourceKey) {
                guard known == Array(source.utf8) else {
                    throw Problem(
                        description: "The database has an unfinished copy of another data folder. Give an empty one."
                    )
                }
                return .copied(Int(try session.number("SELECT coalesce(sum(rows), 0)::bigint FROM storeCopy")))
            }
            for table in ["setting"] + PostgresTable.data {
                guard try connection.execute("SELECT 1 FROM \(PostgresTable.quoted(table)) LIMIT 1").isEmpty else {
                    throw Problem(
                        description:
                            "The database is not empty: it has rows in the table '\(table)'. Give an empty database."
                    )
                }
            }
            try session.execute("INSERT INTO setting (key, value) VALUES (\(Self.sourceKey), \(Array(source.utf8)))")
            try connection.execute(
                "CREATE TABLE storeCopy (name text PRIMARY KEY, rows bigint NOT NULL, isDone boolean NOT NULL)"
            )
            return .copied(0)
        }
    }

    /// Copies all rows that are not there yet; `progress` is called with the number of rows of each transaction.
    ///
    /// - Throws: ``Problem`` if a row does not fit; the error of either database.
    package func copy(_ source: some RowSource, progress: @escaping @Sendable (Int) -> Void) async throws {
        for table in source.tables {
            try await store.pool.run { try Self.copy(table, of: source, in: $0, progress: progress) }
        }
    }

    private static func copy(
        _ name: String,
        of source: some RowSource,
        in connection: PostgresConnection,
        progress: (Int) -> Void
    ) throws {
        let session = StoreSession(connection)
        session.queue("INSERT INTO storeCopy (name, rows, isDone) VALUES (\(name), 0, false) ON CONFLICT DO NOTHING")
        let state = try session.first("SELECT rows, isDone FROM storeCopy WHERE name = \(name)") {
            (rows: $0.int(0), isDone: $0.bool(1))
        }
        guard let state, !state.isDone else { return }
        let table = try PostgresTable(name, columns: try source.columns(of: name), in: connection)
        var batch: [[PostgresValue]] = []
        var bytes = 0
        var copied = state.rows
        func write(isLast: Bool) throws {
            try connection.transaction { connection in
                // The server may still be at the last transaction of a process that was killed, which this waits for.
                let isNext =
                    try session.execute(
                        "UPDATE storeCopy SET rows = rows + \(batch.count), isDone = \(isLast) WHERE name = \(name) AND rows = \(copied)"
                    ) > 0
                guard isNext else {
                    throw Problem(
                        description:
                            "Another process has copied rows of the table '\(name)'. Run 'posthorn migrate' again when it has ended."
                    )
                }
                if !batch.isEmpty { try connection.copy(into: table.target, batch) }
            }
            copied += batch.count
            progress(batch.count)
            batch = []
            bytes = 0
        }
        try source.rows(of: name, columns: table.sourceColumns, skipping: copied) { row in
            let values = try table.values(row)
            bytes += values.reduce(0) { $0 + 8 + $1.size }
            batch.append(values)
            if batch.count == mostRows || bytes > mostBytes { try write(isLast: false) }
        }
        try write(isLast: true)
    }

    /// An app and a cid.
    private struct Key: Hashable {
        var app: Int64
        var cid: String
    }

    /// Copies the cids that count since a date, in milliseconds since 1970; a repetition changes nothing.
    package func copyCIDs(_ source: some RowSource, since date: Int64) async throws {
        try await store.pool.run { connection in
            var batch: [UsedCID] = []
            func write() throws {
                // Of two uses the later one counts; a statement must not name a row twice.
                let last = Dictionary(batch.map { (Key(app: $0.app, cid: $0.cid), $0) }) {
                    $0.usedAt > $1.usedAt ? $0 : $1
                }
                let used = Dictionary(grouping: last.values) { FiringKey.isKey($0.cid) }
                connection.queue(CIDRotation.sharing)
                Self.insert(used[false] ?? [], into: "usedCID", slot: "(SELECT slot FROM cidRotation)", connection)
                Self.insert(used[true] ?? [], into: "cid", slot: nil, connection)
                try connection.sendQueued()
                batch.removeAll()
            }
            try source.cids(since: date) { cid in
                batch.append(cid)
                if batch.count == Self.mostRows { try write() }
            }
            try write()
        }
    }

    /// Inserts uses into a table, or into the partition that an expression in SQL names.
    private static func insert(
        _ used: [UsedCID],
        into table: String,
        slot: String?,
        _ connection: PostgresConnection
    ) {
        guard !used.isEmpty else { return }
        let column = slot == nil ? "" : "slot, "
        let value = slot.map { "\($0), " } ?? ""
        connection.queue(
            """
            INSERT INTO \(table) (\(column)app, cid, message, sendno, usedAt)
            SELECT \(value)new.* FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
                AS new (app, cid, message, sendno, usedAt)
            ON CONFLICT (\(column)app, cid) DO UPDATE
            SET message = excluded.message, sendno = excluded.sendno, usedAt = excluded.usedAt
            WHERE \(table).usedAt < excluded.usedAt
            """,
            .int64s(used.map(\.app)),
            .texts(used.map(\.cid)),
            .int64s(used.map(\.message)),
            .int64s(used.map(\.sendno)),
            .int64s(used.map(\.usedAt))
        )
    }

    /// Checks that all rows are there, sets the counters of ids behind them, and ends the copy: the database can be used
    /// from now on. Returns the numbers of rows by table.
    ///
    /// - Throws: ``Problem`` if rows are missing; the error of either database.
    package func finish(_ source: some RowSource) async throws -> [String: Int] {
        let next = try source.nextMessage()
        let position = try source.lastCustomMessage()
        let expected = try source.tables.map { ($0, try source.count(of: $0)) }
        return try await store.change { session in
            let connection = session.connection
            for (table, count) in expected {
                // The name of the source is a row of its own.
                let own = table == "setting" ? 1 : 0
                let sql = "SELECT count(*) FROM \(PostgresTable.quoted(table))"
                let found = (try connection.execute(sql).first?.int(0) ?? 0) - own
                guard found == count else {
                    throw Problem(
                        description:
                            "The table '\(table)' has \(count) rows in SQLite and \(found) in PostgreSQL. Has the data "
                            + "changed meanwhile? Begin anew with an empty database, after 'posthorn migrate --cancel'."
                    )
                }
            }
            let ends: (message: SQLStatement, logged: SQLStatement) = (
                "(SELECT coalesce(max(coalesce(lastID, id)) + 1, 0) FROM message)",
                "(SELECT coalesce(max(position), 0) FROM customMessage)"
            )
            try session.execute("UPDATE messageID SET next = greatest(next, \(next), \(ends.message))")
            try session.execute(
                "UPDATE customMessageHead SET position = greatest(position, \(position), \(ends.logged))"
            )
            try connection.execute(
                """
                INSERT INTO deviceOrdinal (app, next)
                SELECT app, max(next) FROM (
                    SELECT app, max(ordinal) + 1 AS next FROM device GROUP BY app
                    UNION ALL SELECT app, ordinal FROM deviceFloor
                ) AS used GROUP BY app
                """
            )
            for statement in try PostgresTable.identities(in: connection) { try connection.execute(statement) }
            let rows = Dictionary(uniqueKeysWithValues: expected)
            let counts = JSONObject(expected.map { ($0, .number($1)) })
            let name = String(decoding: try session.value(Self.sourceKey) ?? [], as: UTF8.self)
            let facts: JSONValue = ["source": .string(name), "rows": .object(counts)]
            try session.execute(
                """
                WITH source AS (DELETE FROM setting WHERE key = \(Self.sourceKey))
                INSERT INTO setting (key, value) VALUES (\(Self.doneKey), \(facts.bytes))
                """
            )
            try connection.execute("DROP TABLE storeCopy")
            return rows
        }
    }

    /// Forgets a complete copy, as its end is known outside the database.
    package func conclude() async throws { try await store.execute("DELETE FROM setting WHERE key = \(Self.doneKey)") }
}

extension PostgresStore {
    /// Returns whether a copy into the database has begun and is not complete.
    package func isUnfinishedCopy() async throws -> Bool { try await value(PostgresImport.sourceKey) != nil }
}
