import Foundation
import PostgresClient
package import PushModel
package import PushService
import Synchronization

extension PostgresStore {
    package var appsVersion: Int { appChanges.load(ordering: .acquiring) }

    /// Notes that an app was created, changed or deleted here, and is on disk.
    func noteAppChange() { appChanges.add(1, ordering: .releasing) }

    package func apps() async throws -> [App] {
        try await readOnce { [self] connection in
            readable(
                try connection.execute("SELECT \(App.columns) FROM app WHERE deletedAt IS NULL ORDER BY id"),
                named: "app",
                App.init
            )
        }
    }

    /// Returns the values of rows without those that are damaged, which are reported.
    func readable<Value>(_ rows: PostgresRows, named name: String, _ read: (PostgresRow) throws -> Value) -> [Value] {
        rows.compactMap { row in
            do { return try read(row) } catch {
                damaged("\(name) \(row.int64(0)): \(error)")
                return nil
            }
        }
    }

    package func createApp(_ draft: App) async throws -> App {
        defer { noteAppChange() }
        return try await Self.unique("The app key \(draft.key) is taken.") {
            try await write { [self] session in
                let app = try Self.insert(draft, into: session.connection)
                try addToLog([.apps], in: session.connection)
                return app
            }
        }
    }

    /// Reports a violated unique constraint as ``StoreError/duplicate``.
    static func unique<Value>(_ message: String, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch PostgresError.refused(
            sqlState: PostgresError.uniqueViolation,
            message: _,
            constraint: _
        ) {
            throw StoreError.duplicate(message)
        }
    }

    /// The key of the advisory lock under which apps get their ids.
    private static let lock: Int64 = 0x6170_7073

    static func insert(_ draft: App, into connection: PostgresConnection) throws -> App {
        // The ids have no gaps, because there are few: a sequence would lose some when a transaction fails.
        try connection.execute("SELECT pg_advisory_xact_lock($1)", .int64(lock))
        let row = try connection.execute(
            """
            INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt)
            SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5, $6 FROM app RETURNING id
            """,
            .text(draft.key.text),
            .bytes(draft.secretHash.bytes),
            .text(draft.name),
            .text(draft.bundleID),
            .text(draft.defaultEnvironment.rawValue),
            .date(draft.createdAt)
        ).first
        var app = draft
        if let row { app.id = App.ID(truncatingIfNeeded: row.int64(0)) }
        return app
    }

    package func setEnvironment(_ environment: APNSEnvironment, of app: App.ID) async throws {
        try await write { [self] session in
            try session.connection.execute(
                "UPDATE app SET environment = $1 WHERE id = $2",
                .text(environment.rawValue),
                .app(app)
            )
            try addToLog([.apps], in: session.connection)
        }
    }

    package func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws {
        try await write { [self] session in
            try session.connection.execute(
                "UPDATE app SET quietHours = $1 WHERE id = $2",
                .optional(hours?.json.text),
                .app(app)
            )
            try addToLog([.apps], in: session.connection)
        }
    }
}

extension App {
    /// The columns for ``init(_:)``, in order.
    static let columns = "id, key, secretHash, name, bundleID, environment, createdAt, quietHours"
    /// The number of columns.
    static let columnCount = 8

    init(_ row: PostgresRow) throws {
        let text = row.text(1)
        guard let key = AppKey(text) else { throw CorruptRow(table: "app", column: "key", found: text) }
        self.init(
            id: App.ID(truncatingIfNeeded: row.int64(0)),
            key: key,
            secretHash: SecretHash(bytes: row.bytes(2)),
            name: row.text(3),
            bundleID: row.text(4),
            defaultEnvironment: try row.word(5, "environment", of: "app"),
            createdAt: row.date(6),
            quietHours: try row.optionalText(7).map { text in
                guard let json = try? JSONValue(parsing: text),
                    let hours = try? QuietHours(json: json, at: "quietHours")
                else { throw CorruptRow(table: "app", column: "quietHours", found: text) }
                return hours
            }
        )
    }
}
