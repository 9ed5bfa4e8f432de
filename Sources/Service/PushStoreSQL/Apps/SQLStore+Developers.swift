package import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func developers() async throws -> [Developer] {
        try await readable("FROM developer WHERE deletedAt IS NULL ORDER BY id") { "developer \($0.int64(0))" }
    }

    package func developer(_ key: AppKey) async throws -> Developer? {
        try await record("FROM developer WHERE key = \(key.text) AND deletedAt IS NULL")
    }

    package func createDeveloper(_ draft: Developer) async throws -> Developer {
        try await unique("The developer key \(draft.key) is taken.") {
            try await change { session in
                var developer = draft
                developer.id = try session.number(
                    """
                    INSERT INTO developer (key, secretHash, name, isEnabled, createdAt) VALUES (\(draft.key.text),
                        \(draft.secretHash.bytes), \(draft.name), \(draft.isEnabled), \(draft.createdAt))
                    RETURNING id
                    """
                )
                return developer
            }
        }
    }

    package func enableDeveloper(_ key: AppKey, _ isEnabled: Bool) async throws -> Bool {
        try await execute(
            "UPDATE developer SET isEnabled = \(isEnabled) WHERE key = \(key.text) AND deletedAt IS NULL"
        ) > 0
    }

    package func deleteDeveloper(_ id: Developer.ID, at date: Date) async throws -> Int? {
        try await change { session in
            // An app that is being created holds this lock.
            try session.lockRows("SELECT 1 FROM developer WHERE id = \(id)")
            // The row stays: the id is in the rows of the apps.
            let isDeleted = try session.execute(
                """
                UPDATE developer SET deletedAt = \(date), secretHash = \(.bytes([])), formerSecrets = NULL WHERE id = \(id) AND deletedAt IS NULL
                """
            )
            guard isDeleted > 0 else { return nil }
            // Nobody can ask for the secrets of the apps any more.
            try session.queue("UPDATE ownedApp SET sealedSecret = \(.bytes([])) WHERE developer = \(id)")
            let left = try session.number(
                "SELECT count(*) FROM ownedApp JOIN app ON app.id = ownedApp.app WHERE developer = \(id) AND app.deletedAt IS NULL"
            )
            return Int(left)
        }
    }

    package func createApp(_ draft: App, _ owned: OwnedApp) async throws -> (app: App, owned: OwnedApp, isNew: Bool) {
        defer { appChanges.add() }
        return try await unique("The app key \(draft.key) is taken.") {
            try await change { session in
                // Of two requests at once, the later finds the app of the other.
                try session.lockRows("SELECT 1 FROM developer WHERE id = \(owned.developer)")
                let known = try session.first(
                    """
                    SELECT \(raw: App.columns), groupName, sealedSecret FROM ownedApp JOIN app ON app.id = ownedApp.app
                    WHERE developer = \(owned.developer) AND package = \(owned.package) AND deletedAt IS NULL
                    """
                ) { row in
                    var before = owned
                    before.group = row.optionalText(App.columnCount)
                    before.sealedSecret = row.bytes(App.columnCount + 1)
                    return (app: try App(row), owned: before)
                }
                if let known { return (known.app, known.owned, false) }
                let app = try session.insert(draft)
                try session.execute(
                    """
                    INSERT INTO ownedApp (app, developer, package, groupName, sealedSecret)
                    VALUES (\(app.id), \(owned.developer), \(owned.package), \(owned.group), \(owned.sealedSecret))
                    """
                )
                try session.announce([.apps])
                return (app, owned, true)
            }
        }
    }

    package func ownedApp(_ key: AppKey, of developer: Developer.ID) async throws -> (app: App, isDeleted: Bool)? {
        try await first(
            """
            SELECT \(raw: App.columns), deletedAt FROM ownedApp JOIN app ON app.id = ownedApp.app
            WHERE developer = \(developer) AND app.key = \(key.text)
            """
        ) { (try App($0), !$0.isNull(App.columnCount)) }
    }
}

extension Developer: SQLRecord {
    package static let columns = "id, key, secretHash, name, isEnabled, createdAt, formerSecrets"

    package init(_ row: any SQLRow) throws {
        self.init(
            id: row.int64(0),
            key: try row.value(1, "key", of: "developer") { AppKey($0) },
            secretHash: SecretHash(bytes: row.bytes(2)),
            formerSecrets: try row.formerSecrets(6, of: "developer"),
            name: row.text(3),
            isEnabled: row.bool(4),
            createdAt: row.date(5)
        )
    }
}
