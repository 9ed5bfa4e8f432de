package import Foundation
import GRDB
package import PushService
import PushStoreSQL

extension SQLiteStore {
    package func deleteDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        unseenSince date: Date,
        _ deletion: Deletion
    ) async throws -> [DeviceOrdinal] {
        try await writes.write { database in
            // An ordinal is never reused, even if the newest device is deleted.
            try database.execute(
                sql: """
                    INSERT INTO deviceFloor (app, ordinal, days) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET ordinal = max(ordinal, excluded.ordinal), days = excluded.days
                    """,
                arguments: [app, try Self.nextOrdinal(of: app, in: database), deletion.days]
            )
            let gone = try ordinals.filter { ordinal in
                try database.cachedStatement(
                    sql: "DELETE FROM device WHERE app = ? AND ordinal = ? AND lastSeen < ?"
                ).execute(arguments: [app, ordinal, date.milliseconds])
                return database.changesCount > 0
            }
            let (session, devices) = (SQLiteSession(database: database), gone.map { DeviceID(app: app, ordinal: $0) })
            try session.note(.unregistered, of: devices, at: deletion.date)
            try session.deleteTopics(of: devices)
            return gone
        }
    }

    /// Returns the ordinal of the next device of an app.
    static func nextOrdinal(of app: App.ID, in database: Database) throws -> DeviceOrdinal {
        let statement = try database.cachedStatement(
            sql: """
                SELECT max(
                    coalesce((SELECT max(ordinal) + 1 FROM device WHERE app = ?), 0),
                    coalesce((SELECT ordinal FROM deviceFloor WHERE app = ?), 0)
                )
                """
        )
        return try DeviceOrdinal.fetchOne(statement, arguments: [app, app]) ?? 0
    }
}
