package import Foundation
import PostgresClient
package import PushModel
package import PushService
import PushStoreSQL

extension PostgresStore {
    package func importDevices(
        _ rows: [(row: DeviceImport, own: DeviceOrdinal?)],
        of app: App.ID,
        environment: APNSEnvironment,
        installation: String,
        seenAt date: Date
    ) async throws -> ImportResult {
        guard !rows.isEmpty else { return ImportResult() }
        let ordinals = try await nextOrdinals(Int64(rows.count), of: app)
        return try await write { [self] session in
            let connection = session.connection
            let aliases = Set(exactly: rows.compactMap(\.row.newAlias)).map { AliasClaim($0.text, at: date) }
            let holders = try AliasPlaces.holders(aliases, of: app, in: connection)
            let (devices, known) = try Self.known(rows, of: app, in: connection)
            var intake = DeviceIntake(
                app: app,
                environment: environment,
                installation: installation,
                date: date,
                devices: devices,
                ids: known,
                ordinals: ordinals,
                holders: holders
            )
            for (index, row) in rows.enumerated() { intake.add(row.row, own: row.own, index: index) }
            try write(intake.changed.sorted().compactMap { intake.devices[$0] }, in: connection)
            let ids = Set(intake.result.ids.map(\.id)).compactMap { intake.ids[$0] }
            try Self.write(ids, of: app, in: connection)
            try session.addToLog(Set(ids.map(\.device)).map { .importedIDs(of: $0) })
            return intake.result
        }
    }

    /// Reads and locks the devices that rows may be about, and their imported ids.
    private static func known(
        _ rows: [(row: DeviceImport, own: DeviceOrdinal?)],
        of app: App.ID,
        in connection: PostgresConnection
    ) throws -> (devices: [RegisteredDevice], ids: [ImportedID]) {
        let ordinals = try connection.execute(
            """
            SELECT unnest($2::bigint[])
            UNION SELECT ordinal FROM importedID WHERE app = $1 AND id = ANY ($3::text[])
            UNION SELECT ordinal FROM device WHERE app = $1 AND token = ANY ($4::bytea[])
            """,
            .app(app),
            .int64s(rows.compactMap { $0.own.map { Int64($0) } }),
            .texts(rows.compactMap { $0.row.registrationID?.text }),
            .byteArrays(rows.map(\.row.token.bytes))
        ).map { $0.ordinal(0) }
        guard !ordinals.isEmpty else { return ([], []) }
        let devices = try RegisteredDevice.lock(ordinals, of: app, in: connection)
        let ids = try connection.execute(
            "SELECT \(ImportedID.columns) FROM importedID WHERE app = $1 AND ordinal = ANY ($2::bigint[])",
            .app(app),
            .int64s(ordinals.map { Int64($0) })
        ).map { try ImportedID($0) }
        return (devices, ids)
    }

    private static func write(_ ids: [ImportedID], of app: App.ID, in connection: PostgresConnection) throws {
        guard !ids.isEmpty else { return }
        try connection.execute(
            """
            INSERT INTO importedID (app, id, ordinal, isName)
            SELECT $1::bigint, id, ordinal, isName <> 0
            FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS given (id, ordinal, isName)
            ON CONFLICT (app, id) DO UPDATE SET ordinal = excluded.ordinal, isName = excluded.isName
            """,
            .app(app),
            .texts(ids.map(\.id.text)),
            .int64s(ids.map { Int64($0.device.ordinal) }),
            .int64s(ids.map { $0.isName ? 1 : 0 })
        )
    }
}
