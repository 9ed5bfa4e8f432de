import Foundation
import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

extension RegisteredDevice {
    /// Reads devices that exist and locks their rows until the end of the transaction, in the order of their ordinals.
    static func lock(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        in connection: PostgresConnection
    ) throws -> [RegisteredDevice] {
        guard !ordinals.isEmpty else { return [] }
        return try connection.execute(
            "SELECT \(columns) FROM device WHERE app = $1 AND ordinal = ANY ($2::bigint[]) ORDER BY ordinal FOR UPDATE",
            .app(app),
            .int64s(ordinals.map { Int64($0) })
        ).map { try RegisteredDevice($0) }
    }
}

extension PostgresStore {
    /// Inserts or updates devices of one app, whose versions have been increased, and logs the change.
    func write(_ devices: [RegisteredDevice], in connection: PostgresConnection) throws {
        guard let app = devices.first?.id.app else { return }
        try connection.execute(
            DeviceStatements.write,
            [.int64(Int64(node)), .app(app), .int64(1)]
                + DeviceStatements.columns.map { column in .array(devices.map { $0.value(column) }) }
        )
    }

    package func changeDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        in session: StoreSession,
        _ change: (inout RegisteredDevice) throws -> Bool
    ) throws -> [RegisteredDevice] {
        let changed = try RegisteredDevice.lock(ordinals, of: app, in: session.connection).compactMap { old in
            var device = old
            guard try change(&device) else { return nil as RegisteredDevice? }
            device.version += 1
            return device
        }
        try write(changed, in: session.connection)
        return changed
    }
}
