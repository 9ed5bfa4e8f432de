package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func developers() async throws -> [Developer] {
        try await read { [damage] database in
            try Row.fetchAll(database, sql: "SELECT * FROM developer ORDER BY id").compactMap { row in
                try damage.readable("developer \(row["id"] as Int64)") { try Developer(row: row) }
            }
        }
    }

    package func developer(_ key: AppKey) async throws -> Developer? {
        try await read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM developer WHERE key = ?", arguments: [key.text])
                .map(Developer.init(row:))
        }
    }

    package func createDeveloper(_ draft: Developer) async throws -> Developer {
        try await writes.write { database in
            var developer = draft
            do {
                try database.execute(
                    sql: """
                        INSERT INTO developer (key, secretHash, name, isEnabled, createdAt) VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        draft.key.text, Data(draft.secretHash.bytes), draft.name, draft.isEnabled,
                        draft.createdAt.milliseconds,
                    ]
                )
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                throw StoreError.duplicate("The developer key \(draft.key) is taken.")
            }
            developer.id = database.lastInsertedRowID
            return developer
        }
    }

    package func enableDeveloper(_ key: AppKey, _ isEnabled: Bool) async throws -> Bool {
        try await writes.write { database in
            try database.execute(
                sql: "UPDATE developer SET isEnabled = ? WHERE key = ?",
                arguments: [isEnabled, key.text]
            )
            return database.changesCount > 0
        }
    }

    package func createApp(
        _ draft: App,
        _ owned: OwnedApp
    ) async throws -> (app: App, owned: OwnedApp, isNew: Bool) {
        defer { noteAppChange() }
        return try await writes.write { database in
            let known = try Row.fetchOne(
                database,
                sql: """
                    SELECT app.*, package, groupName, sealedSecret FROM ownedApp JOIN app ON app.id = ownedApp.app
                    WHERE developer = ? AND package = ? AND deletedAt IS NULL
                    """,
                arguments: [owned.developer, owned.package]
            )
            if let known {
                let before = OwnedApp(
                    developer: owned.developer,
                    package: known["package"],
                    group: known["groupName"],
                    sealedSecret: Array(known["sealedSecret"] as Data)
                )
                return (try App(row: known), before, false)
            }
            let app = try Self.insert(draft, into: database)
            try database.execute(
                sql: """
                    INSERT INTO ownedApp (app, developer, package, groupName, sealedSecret, isBound)
                    VALUES (?, ?, ?, ?, ?, 1)
                    """,
                arguments: [app.id, owned.developer, owned.package, owned.group, Data(owned.sealedSecret)]
            )
            return (app, owned, true)
        }
    }

    package func ownedApp(_ key: AppKey, of developer: Developer.ID) async throws -> (app: App, isDeleted: Bool)? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT app.* FROM ownedApp JOIN app ON app.id = ownedApp.app WHERE developer = ? AND app.key = ?
                    """,
                arguments: [developer, key.text]
            ).map { (try App(row: $0), ($0["deletedAt"] as Int64?) != nil) }
        }
    }

    package func deleteApp(_ id: App.ID, at date: Date) async throws {
        defer { noteAppChange() }
        try await writes.write { database in
            try database.execute(
                sql: "UPDATE app SET deletedAt = ? WHERE id = ? AND deletedAt IS NULL",
                arguments: [date.milliseconds, id]
            )
            // The secret can no longer be requested.
            try database.execute(sql: "UPDATE ownedApp SET sealedSecret = x'' WHERE app = ?", arguments: [id])
            for condition in ["dueAt IS NOT NULL", "endedAt IS NOT NULL"] {
                try database.execute(
                    sql: """
                        DELETE FROM scheduleFiring WHERE schedule IN (
                            SELECT id FROM schedule WHERE app = ? AND \(condition)
                        )
                        """,
                    arguments: [id]
                )
                try database.execute(sql: "DELETE FROM schedule WHERE app = ? AND \(condition)", arguments: [id])
            }
            for table in ["pause", "credential", "certificate"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE app = ?", arguments: [id])
            }
        }
    }
}

extension Developer {
    init(row: Row) throws {
        let text: String = row["key"]
        guard let key = AppKey(text) else { throw CorruptRow(table: "developer", column: "key", found: text) }
        self.init(
            id: row["id"],
            key: key,
            secretHash: SecretHash(bytes: Array(row["secretHash"] as Data)),
            name: row["name"],
            isEnabled: row["isEnabled"],
            createdAt: Date(milliseconds: row["createdAt"])
        )
    }
}
