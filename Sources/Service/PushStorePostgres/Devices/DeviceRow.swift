import Foundation
import PostgresClient
import PushModel
import PushService

extension RegisteredDevice {
    /// The columns for ``init(_:)``, in order.
    static let columns = "app, \(DeviceStatements.names)"
    /// The number of columns.
    static let columnCount = 21

    init(_ row: PostgresRow) throws {
        // Damage is logged at start, when all rows are read. A device without its tags is still usable.
        let tags = (try? JSONValue(parsing: row.text(8)))?.array?.compactMap(\.string) ?? []
        self.init(
            id: DeviceID(app: App.ID(truncatingIfNeeded: row.int64(0)), ordinal: row.ordinal(1)),
            installation: row.text(2),
            secretHash: SecretHash(bytes: row.bytes(3)),
            token: row.optionalBytes(4).map { DeviceToken(bytes: $0) },
            environment: try row.word(5, "environment", of: "device"),
            tokenRegisteredAt: row.date(6),
            alias: row.optionalText(7),
            tags: tags,
            mobile: row.optionalText(9),
            badge: Int(row.int64(10)),
            system: row.text(11),
            channel: row.optionalText(12),
            lastSeen: row.date(13),
            isStopped: row.bool(15),
            zone: row.optionalText(16),
            appVersion: row.optionalText(17),
            language: row.optionalText(19),
            permission: row.optionalText(20).flatMap(NotificationPermission.init(rawValue:)),
            tokenRefusal: row.optionalText(18).map(APNSReason.init(rawValue:)),
            version: UInt32(truncatingIfNeeded: row.int64(14))
        )
    }

    /// Reads devices and locks their rows until the end of the transaction, in the order of their ordinals.
    ///
    /// - Parameters:
    ///   - ordinals: the ordinals; missing devices are skipped.
    ///   - app: the app.
    ///   - connection: the connection.
    /// - Returns: the devices, by their ordinals.
    /// - Throws: ``CorruptRow``, or an error of the server.
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

extension PostgresRow {
    func ordinal(_ column: Int) -> DeviceOrdinal { DeviceOrdinal(truncatingIfNeeded: int64(column)) }
}

extension PostgresStore {
    /// Inserts or updates devices of one app, whose versions have been increased, and logs the change.
    func write(_ devices: [RegisteredDevice], in connection: PostgresConnection) throws {
        guard let app = devices.first?.id.app else { return }
        func numbers(_ value: (RegisteredDevice) -> Int64) -> PostgresValue { .int64s(devices.map(value)) }
        func texts(_ value: (RegisteredDevice) -> String?) -> PostgresValue { .texts(devices.map(value)) }
        try connection.execute(
            DeviceStatements.write,
            [
                .int64(Int64(node)), .app(app), .int64(1),
                numbers { Int64($0.id.ordinal) }, texts { $0.installation },
                .byteArrays(devices.map(\.secretHash.bytes)), .byteArrays(devices.map { $0.token?.bytes }),
                texts { $0.environment.rawValue }, numbers { $0.tokenRegisteredAt.milliseconds },
                texts { $0.alias }, texts { JSONValue.strings($0.tags).text },
                texts { $0.mobile }, numbers { Int64($0.badge) }, texts { $0.system }, texts { $0.channel },
                numbers { $0.lastSeen.milliseconds }, numbers { Int64($0.version) }, .bools(devices.map(\.isStopped)),
                texts { $0.zone }, texts { $0.appVersion }, texts { $0.tokenRefusal?.rawValue },
                texts { $0.language }, texts { $0.permission?.rawValue },
            ]
        )
    }

    /// Changes devices that exist.
    ///
    /// - Parameters:
    ///   - ordinals: the devices; missing ones are skipped.
    ///   - app: their app.
    ///   - connection: the connection.
    ///   - change: returns whether the device is to be written.
    /// - Returns: the devices written.
    /// - Throws: the error of `change`, or one of the server.
    func change(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        in connection: PostgresConnection,
        _ change: (inout RegisteredDevice) throws -> Bool
    ) throws -> [RegisteredDevice] {
        let changed = try RegisteredDevice.lock(ordinals, of: app, in: connection).compactMap { old in
            var device = old
            guard try change(&device) else { return nil as RegisteredDevice? }
            device.version += 1
            return device
        }
        try write(changed, in: connection)
        return changed
    }
}
