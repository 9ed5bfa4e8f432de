import Foundation
import GRDB
package import PushModel
package import PushService
import Synchronization

extension SQLiteStore {
    package func apps() async throws -> [App] {
        try await read { [damage] database in
            try Row.fetchAll(database, sql: "SELECT * FROM app WHERE deletedAt IS NULL ORDER BY id").compactMap { row in
                try damage.readable("app \(row["id"] as Int64)") { try App(row: row) }
            }
        }
    }

    package var appsVersion: Int { appChanges.load(ordering: .acquiring) }

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

    package func setEnvironment(_ environment: APNSEnvironment, of app: App.ID) async throws {
        try await writes.write { database in
            try database.execute(
                sql: "UPDATE app SET environment = ? WHERE id = ?",
                arguments: [environment.rawValue, app]
            )
        }
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
        try await read { database in
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

    package func removeCredential(of app: App.ID) async throws -> Bool {
        try await writes.write { database in
            try database.execute(sql: "DELETE FROM credential WHERE app = ?", arguments: [app])
            guard database.changesCount > 0 else { return false }
            try database.execute(sql: "DELETE FROM pause WHERE app = ?", arguments: [app])
            return true
        }
    }

    package func pauses(of app: App.ID) async throws -> [APNSEnvironment: Pause] {
        try await read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM pause WHERE app = ?", arguments: [app])
            return rows.reduce(into: [:]) { pauses, row in
                guard let environment = APNSEnvironment(rawValue: row["environment"]) else { return }
                pauses[environment] = Pause(row: row)
            }
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
        let isPaused = try await read {
            try Row.fetchOne($0, sql: "SELECT 1 \(sql)", arguments: arguments) != nil
        }
        guard isPaused else { return }
        try await writes.write { try $0.execute(sql: "DELETE \(sql)", arguments: arguments) }
    }
}
