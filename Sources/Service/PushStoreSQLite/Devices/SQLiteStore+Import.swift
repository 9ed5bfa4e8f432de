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
            for (row, own) in rows { try work.add(row, own: own) }
            return work.result
        }
    }

    package func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws {
        var last: (app: App.ID, id: String) = (0, "")
        while true {
            let (app, id) = last
            let (ids, end) = try await read { [damage] database in
                let rows = try Row.fetchAll(database, sql: Self.importedIDPage, arguments: [app, id, Self.startStep])
                let ids = try rows.compactMap { row in
                    try damage.readable(
                        "an imported id of app \(row["app"] as Int64), device \(row["ordinal"] as Int64)"
                    ) { try ImportedID(row: row) }
                }
                let end = rows.count == Self.startStep ? rows.last : nil
                return (ids, end.map { (app: $0["app"] as App.ID, id: $0["id"] as String) })
            }
            each(ids)
            guard let end else { return }
            last = end
        }
    }

    static let importedIDPage = """
        SELECT app, id, ordinal, isName FROM importedID WHERE (app, id) > (?, ?) ORDER BY app, id LIMIT ?
        """

    package func importedIDs(of device: DeviceID) async throws -> [ImportedID] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT app, id, ordinal, isName FROM importedID WHERE app = ? AND ordinal = ?",
                arguments: [device.app, device.ordinal]
            ).map(ImportedID.init(row:))
        }
    }

    package func importedID(_ id: RegistrationID, of app: App.ID) async throws -> ImportedID? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT app, id, ordinal, isName FROM importedID WHERE app = ? AND id = ?",
                arguments: [app, id.text]
            ).map(ImportedID.init(row:))
        }
    }

    /// Moves imported ids with their token.
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
