package import Foundation
import GRDB
package import PushModel
package import PushService
import PushStoreSQL

extension SQLiteStore {
    package func importDevices(
        _ rows: [(row: DeviceImport, own: DeviceOrdinal?)],
        of app: App.ID,
        environment: APNSEnvironment,
        installation: String,
        seenAt date: Date
    ) async throws -> ImportResult {
        try await writes.write { [tokens] database in
            var ordinals = Set(rows.lazy.compactMap(\.own))
            ordinals.formUnion(try tokens.holders(of: rows.lazy.map(\.row.token), app: app, in: database))
            for id in rows.lazy.compactMap(\.row.registrationID) {
                let named = try Self.importedIDs("id = \(id.text)", of: app, in: database)
                ordinals.formUnion(named.lazy.map(\.device.ordinal))
            }
            let next = Int64(try Self.nextOrdinal(of: app, in: database))
            var intake = DeviceIntake(
                app: app,
                environment: environment,
                installation: installation,
                date: date,
                devices: try ordinals.compactMap { try Self.device(DeviceID(app: app, ordinal: $0), in: database) },
                ids: try ordinals.flatMap { try Self.importedIDs("ordinal = \($0)", of: app, in: database) },
                ordinals: next..<next + Int64(rows.count)
            )
            intake.add(rows)
            let changes = intake.changes
            tokens.note(changes)
            let writer = try DeviceWriter(database)
            for device in changes { try writer.write(device) }
            let names = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO importedID (app, id, ordinal, isName) VALUES (?, ?, ?, ?)"
            )
            for id in intake.idChanges {
                try names.execute(arguments: [app, id.id.text, id.device.ordinal, id.isName])
            }
            return intake.result
        }
    }

    private static func importedIDs(
        _ condition: SQLStatement,
        of app: App.ID,
        in database: Database
    ) throws -> [ImportedID] {
        try SQLiteSession(database: database).records("FROM importedID WHERE app = \(app) AND \(condition)")
    }

    /// Moves imported ids with their token.
    static func moveImportedIDs(from other: DeviceID, to owner: DeviceID, in database: Database) throws {
        try SQLiteSession(database: database).execute(
            "UPDATE importedID SET ordinal = \(owner.ordinal), isName = 0 WHERE app = \(other.app) AND ordinal = \(other.ordinal)"
        )
    }
}
