import Foundation
import GRDB
package import PushModel
package import PushService
import Synchronization

extension SQLiteStore {
    package func apps() async throws -> [App] {
        try await database.read { [damage] database in
            try Row.fetchAll(database, sql: "SELECT * FROM app WHERE deletedAt IS NULL ORDER BY id").compactMap { row in
                try damage.readable("app \(row["id"] as Int64)") { try App(row: row) }
            }
        }
    }

    package func appsVersion() async throws -> AppsVersion {
        // Joins a transaction with concurrent writes; a transaction without changes costs no sync.
        let others = try await writes.write { [tokens] _ in tokens.othersVersion }
        return AppsVersion(others: others, own: appChanges.load(ordering: .acquiring))
    }

    /// Notes that an app was created, changed or deleted here, and is on disk.
    func noteAppChange() { appChanges.add(1, ordering: .releasing) }

    package func createApp(_ draft: App) async throws -> App {
        defer { noteAppChange() }
        return try await writes.write { try Self.insert(draft, into: $0) }
    }

    static func insert(_ draft: App, into database: Database) throws -> App {
        var app = draft
        do {
            try database.execute(
                sql: """
                    INSERT INTO app (key, secretHash, name, bundleID, environment, createdAt) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    app.key.text, Data(app.secretHash.bytes), app.name, app.bundleID,
                    app.defaultEnvironment.rawValue,
                    app.createdAt.milliseconds,
                ]
            )
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
            throw StoreError.duplicate("The app key \(app.key) is taken.")
        }
        app.id = App.ID(database.lastInsertedRowID)
        return app
    }

    package func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws {
        try await writes.write { database in
            try database.execute(
                sql: "UPDATE app SET quietHours = ? WHERE id = ?",
                arguments: [hours?.json.text, app]
            )
        }
    }

    package func credential(of app: App.ID) async throws -> SealedCredential? {
        try await database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM credential WHERE app = ?", arguments: [app]).map { row in
                SealedCredential(
                    keyID: row["keyID"],
                    teamID: row["teamID"],
                    sealedPrivateKey: Array(row["sealedPrivateKey"] as Data)
                )
            }
        }
    }

    package func setCredential(_ credential: SealedCredential, of app: App.ID) async throws {
        try await writes.write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO credential (app, keyID, teamID, sealedPrivateKey, isBound) VALUES (?, ?, ?, ?, 1)
                    """,
                arguments: [app, credential.keyID, credential.teamID, Data(credential.sealedPrivateKey)]
            )
            try database.execute(sql: "DELETE FROM pause WHERE app = ?", arguments: [app])
        }
    }

    static func insert(_ pause: Pause, of destination: Destination, into database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO pause (app, environment, reason, detail, until) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            destination.app, destination.environment.rawValue, pause.reason.rawValue, pause.detail,
            pause.until.milliseconds,
        ])
    }

    package func resume(_ app: App.ID, _ environment: APNSEnvironment) async throws {
        let sql = "FROM pause WHERE app = ? AND environment = ?"
        let arguments: StatementArguments = [app, environment.rawValue]
        // There is almost never one, and a read costs no commit.
        let isPaused = try await database.read {
            try Row.fetchOne($0, sql: "SELECT 1 \(sql)", arguments: arguments) != nil
        }
        guard isPaused else { return }
        try await writes.write { try $0.execute(sql: "DELETE \(sql)", arguments: arguments) }
    }
}
