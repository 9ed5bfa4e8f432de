package import Foundation
import PostgresClient
package import PushModel
package import PushService

extension PostgresStore {
    package func developers() async throws -> [Developer] {
        try await readOnce { [self] connection in
            let rows = try connection.execute("SELECT \(Developer.columns) FROM developer ORDER BY id")
            return readable(rows, named: "developer", Developer.init)
        }
    }

    package func developer(_ key: AppKey) async throws -> Developer? {
        try await readOnce { connection in
            try connection.execute("SELECT \(Developer.columns) FROM developer WHERE key = $1", .text(key.text))
                .first.map { try Developer($0) }
        }
    }

    package func createDeveloper(_ draft: Developer) async throws -> Developer {
        try await Self.unique("The developer key \(draft.key) is taken.") {
            try await write { session in
                var developer = draft
                let row = try session.connection.execute(
                    """
                    INSERT INTO developer (key, secretHash, name, isEnabled, createdAt) VALUES ($1, $2, $3, $4, $5)
                    RETURNING id
                    """,
                    .text(draft.key.text),
                    .bytes(draft.secretHash.bytes),
                    .text(draft.name),
                    .bool(draft.isEnabled),
                    .date(draft.createdAt)
                ).first
                if let row { developer.id = row.int64(0) }
                return developer
            }
        }
    }

    package func enableDeveloper(_ key: AppKey, _ isEnabled: Bool) async throws -> Bool {
        try await write { session in
            try session.connection.execute(
                "UPDATE developer SET isEnabled = $1 WHERE key = $2",
                .bool(isEnabled),
                .text(key.text)
            ).affected > 0
        }
    }

    package func createApp(
        _ draft: App,
        _ owned: OwnedApp
    ) async throws -> (app: App, owned: OwnedApp, isNew: Bool) {
        defer { noteAppChange() }
        return try await Self.unique("The app key \(draft.key) is taken.") {
            try await write { [self] session in
                let connection = session.connection
                // Of two requests at once, the later finds the app of the other.
                try connection.execute("SELECT 1 FROM developer WHERE id = $1 FOR UPDATE", .int64(owned.developer))
                let known = try connection.execute(
                    """
                    SELECT \(App.columns), groupName, sealedSecret FROM ownedApp JOIN app ON app.id = ownedApp.app
                    WHERE developer = $1 AND package = $2 AND deletedAt IS NULL
                    """,
                    .int64(owned.developer),
                    .text(owned.package)
                ).first
                if let known {
                    var before = owned
                    before.group = known.optionalText(App.columnCount)
                    before.sealedSecret = known.bytes(App.columnCount + 1)
                    return (try App(known), before, false)
                }
                let app = try Self.insert(draft, into: connection)
                try connection.execute(
                    """
                    INSERT INTO ownedApp (app, developer, package, groupName, sealedSecret, isBound)
                    VALUES ($1, $2, $3, $4, $5, true)
                    """,
                    .app(app.id),
                    .int64(owned.developer),
                    .text(owned.package),
                    .optional(owned.group),
                    .bytes(owned.sealedSecret)
                )
                try addToLog([.apps], in: connection)
                return (app, owned, true)
            }
        }
    }

    package func ownedApp(_ key: AppKey, of developer: Developer.ID) async throws -> (app: App, isDeleted: Bool)? {
        try await readOnce { connection in
            try connection.execute(
                """
                SELECT \(App.columns), deletedAt FROM ownedApp JOIN app ON app.id = ownedApp.app
                WHERE developer = $1 AND app.key = $2
                """,
                .int64(developer),
                .text(key.text)
            ).first.map { (try App($0), $0.optionalInt64(App.columnCount) != nil) }
        }
    }

    package func deleteApp(_ id: App.ID, at date: Date) async throws {
        defer { noteAppChange() }
        try await write { [self] session in
            let connection = session.connection
            try connection.execute(
                "UPDATE app SET deletedAt = $1 WHERE id = $2 AND deletedAt IS NULL",
                .date(date),
                .app(id)
            )
            // The secret can no longer be requested.
            try connection.execute("UPDATE ownedApp SET sealedSecret = '' WHERE app = $1", .app(id))
            try connection.execute(
                "DELETE FROM scheduleFiring WHERE schedule IN (SELECT id FROM schedule WHERE app = $1)",
                .app(id)
            )
            for table in ["schedule", "pause", "credential", "certificate"] {
                try connection.execute("DELETE FROM \(table) WHERE app = $1", .app(id))
            }
            try addToLog([.apps, .credentials(of: id)], in: connection)
        }
    }
}

extension Developer {
    /// The columns for ``init(_:)``, in order.
    static let columns = "id, key, secretHash, name, isEnabled, createdAt"

    init(_ row: PostgresRow) throws {
        let text = row.text(1)
        guard let key = AppKey(text) else { throw CorruptRow(table: "developer", column: "key", found: text) }
        self.init(
            id: row.int64(0),
            key: key,
            secretHash: SecretHash(bytes: row.bytes(2)),
            name: row.text(3),
            isEnabled: row.bool(4),
            createdAt: row.date(5)
        )
    }
}
