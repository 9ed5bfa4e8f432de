package import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func developers() async throws -> [Developer] {
        try await queryOnce { [self] session in
            try session.rows("SELECT \(Developer.columns) FROM developer ORDER BY id") { row in
                try readable(row, named: "developer \(row.int64(0))", Developer.init)
            }.compactMap(\.self)
        }
    }

    package func developer(_ key: AppKey) async throws -> Developer? {
        try await queryOnce { session in
            try session.first(
                "SELECT \(Developer.columns) FROM developer WHERE key = $1",
                .text(key.text),
                read: Developer.init
            )
        }
    }

    package func createDeveloper(_ draft: Developer) async throws -> Developer {
        try await unique("The developer key \(draft.key) is taken.") {
            try await change { session in
                var developer = draft
                developer.id = try session.number(
                    """
                    INSERT INTO developer (key, secretHash, name, isEnabled, createdAt) VALUES ($1, $2, $3, $4, $5)
                    RETURNING id
                    """,
                    .text(draft.key.text),
                    .bytes(draft.secretHash.bytes),
                    .text(draft.name),
                    .bool(draft.isEnabled),
                    .date(draft.createdAt)
                )
                return developer
            }
        }
    }

    package func enableDeveloper(_ key: AppKey, _ isEnabled: Bool) async throws -> Bool {
        try await change { session in
            try session.execute(
                "UPDATE developer SET isEnabled = $1 WHERE key = $2",
                .bool(isEnabled),
                .text(key.text)
            ) > 0
        }
    }

    package func createApp(
        _ draft: App,
        _ owned: OwnedApp
    ) async throws -> (app: App, owned: OwnedApp, isNew: Bool) {
        defer { appChanges.add() }
        return try await unique("The app key \(draft.key) is taken.") {
            try await change { session in
                // Of two requests at once, the later finds the app of the other.
                try session.lockRows("SELECT 1 FROM developer WHERE id = $1", .int64(owned.developer))
                let known = try session.first(
                    """
                    SELECT \(App.columns), groupName, sealedSecret FROM ownedApp JOIN app ON app.id = ownedApp.app
                    WHERE developer = $1 AND package = $2 AND deletedAt IS NULL
                    """,
                    .int64(owned.developer),
                    .text(owned.package)
                ) { row in
                    var before = owned
                    before.group = row.optionalText(App.columnCount)
                    before.sealedSecret = row.bytes(App.columnCount + 1)
                    return (app: try App(row), owned: before)
                }
                if let known { return (known.app, known.owned, false) }
                let app = try Self.insert(draft, in: session)
                try session.execute(
                    """
                    INSERT INTO ownedApp (app, developer, package, groupName, sealedSecret)
                    VALUES ($1, $2, $3, $4, $5)
                    """,
                    .app(app.id),
                    .int64(owned.developer),
                    .text(owned.package),
                    .text(owned.group),
                    .bytes(owned.sealedSecret)
                )
                try session.announce([.apps])
                return (app, owned, true)
            }
        }
    }

    package func ownedApp(_ key: AppKey, of developer: Developer.ID) async throws -> (app: App, isDeleted: Bool)? {
        try await queryOnce { session in
            try session.first(
                """
                SELECT \(App.columns), deletedAt FROM ownedApp JOIN app ON app.id = ownedApp.app
                WHERE developer = $1 AND app.key = $2
                """,
                .int64(developer),
                .text(key.text)
            ) { (try App($0), !$0.isNull(App.columnCount)) }
        }
    }

    package func deleteApp(_ id: App.ID, at date: Date) async throws {
        defer { appChanges.add() }
        try await change { session -> Void in
            try session.queue(
                "UPDATE app SET deletedAt = $1 WHERE id = $2 AND deletedAt IS NULL",
                .date(date),
                .app(id)
            )
            // The secret can no longer be requested.
            try session.queue("UPDATE ownedApp SET sealedSecret = $1 WHERE app = $2", .bytes([]), .app(id))
            // One index has the schedules that are still due, another those that have ended.
            for condition in ["dueAt IS NOT NULL", "endedAt IS NOT NULL"] {
                try session.queue(
                    """
                    DELETE FROM scheduleFiring WHERE schedule IN (SELECT id FROM schedule WHERE app = $1 AND \(condition))
                    """,
                    .app(id)
                )
                try session.queue("DELETE FROM schedule WHERE app = $1 AND \(condition)", .app(id))
            }
            for table in ["pause", "credential", "certificate"] {
                try session.queue("DELETE FROM \(table) WHERE app = $1", .app(id))
            }
            try session.announce([.apps, .credentials(id)])
        }
    }
}

extension Developer {
    /// The columns for ``init(_:)``, in order.
    fileprivate static let columns = "id, key, secretHash, name, isEnabled, createdAt"

    fileprivate init(_ row: any SQLRow) throws {
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
