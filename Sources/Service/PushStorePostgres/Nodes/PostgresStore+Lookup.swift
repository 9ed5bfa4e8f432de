import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

extension PostgresStore: SharedDeviceStore {
    package func lookUp(_ names: DeviceNames, of app: App.ID) async throws -> FoundDevices {
        guard !names.isEmpty else { return FoundDevices(devices: [], importedIDs: []) }
        return try await readOnce { connection in
            var ids: [ImportedID] = []
            if !names.importedIDs.isEmpty {
                ids = try connection.execute(
                    "SELECT \(ImportedID.columns) FROM importedID WHERE app = $1 AND id = ANY ($2::text[]) ORDER BY id",
                    .app(app),
                    .texts(names.importedIDs.map(\.text))
                ).map { try ImportedID($0) }
            }
            let ordinals = names.ordinals + ids.map(\.device.ordinal)
            // Each condition has an index of its own.
            let devices = try connection.execute(
                """
                SELECT \(RegisteredDevice.columns) FROM device WHERE app = $1 AND ordinal IN (
                    SELECT unnest($2::bigint[])
                    UNION SELECT ordinal FROM device WHERE app = $1 AND alias = ANY ($3::text[])
                )
                """,
                .app(app),
                .int64s(ordinals.map { Int64($0) }),
                .texts(names.aliases)
            ).map { try RegisteredDevice($0).audienceEntry }
            return FoundDevices(devices: devices, importedIDs: ids)
        }
    }
}
