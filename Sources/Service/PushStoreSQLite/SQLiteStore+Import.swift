package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func importDevices(
        _ rows: [(row: DeviceImport, own: DeviceOrdinal?)],
        of app: App.ID,
        environment: APNSEnvironment,
        installation: String,
        seenAt date: Date
    ) async throws -> ImportResult {
        try await writes.write { [tokens] database in
            var work = DeviceIntake(
                writer: try DeviceWriter(database: database, tokens: tokens),
                app: app,
                environment: environment,
                installation: installation,
                date: date
            )
            for (row, own) in rows { try work.take(row, own: own) }
            return work.result
        }
    }

    package func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws {
        try await database.read { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT app, id, ordinal, isName FROM importedID")
            var ids: [ImportedID] = []
            while let row = try rows.next() {
                ids.append(try ImportedID(row: row))
                guard ids.count == 4096 else { continue }
                each(ids)
                ids.removeAll(keepingCapacity: true)
            }
            each(ids)
        }
    }

    package func importedIDs(of device: DeviceID) async throws -> [ImportedID] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT app, id, ordinal, isName FROM importedID WHERE app = ? AND ordinal = ?",
                arguments: [device.app, device.ordinal]
            ).map(ImportedID.init(row:))
        }
    }

    package func importedID(_ id: RegistrationID, of app: App.ID) async throws -> ImportedID? {
        try await database.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT app, id, ordinal, isName FROM importedID WHERE app = ? AND id = ?",
                arguments: [app, id.text]
            ).map(ImportedID.init(row:))
        }
    }

    /// Ids stay with the token that they came with.
    static func moveImportedIDs(from other: DeviceID, to owner: DeviceID, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE importedID SET ordinal = ?, isName = 0 WHERE app = ? AND ordinal = ?"
        ).execute(arguments: [owner.ordinal, other.app, other.ordinal])
    }
}

extension ImportedID {
    fileprivate init(row: Row) throws {
        let text: String = row["id"]
        guard let id = RegistrationID(text) else { throw CorruptRow(table: "importedID", column: "id", found: text) }
        self.init(id: id, device: DeviceID(app: row["app"], ordinal: row["ordinal"]), isName: row["isName"])
    }
}
