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
        return try await change { [self] session in
            let aliases = Set(exactly: rows.compactMap(\.row.newAlias)).map { AliasClaim($0.text, at: date) }
            let holders = try AliasPlaces.holders(aliases, of: app, in: session)
            let (devices, known) = try Self.known(rows, of: app, in: session)
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
            intake.add(rows)
            try write(intake.changes, in: session.connection)
            let ids = intake.idChanges
            Self.write(ids, of: app, in: session)
            try session.addToLog(Set(ids.map(\.device)).map { .importedIDs(of: $0) })
            return intake.result
        }
    }

    /// Reads and locks the devices that rows may be about, and their imported ids.
    private static func known(
        _ rows: [(row: DeviceImport, own: DeviceOrdinal?)],
        of app: App.ID,
        in session: StoreSession
    ) throws -> (devices: [RegisteredDevice], ids: [ImportedID]) {
        let ordinals = try session.connection.execute(
            """
            SELECT unnest($2::bigint[])
            UNION SELECT ordinal FROM importedID WHERE app = $1 AND id = ANY ($3::text[])
            UNION SELECT ordinal FROM device WHERE app = $1 AND token = ANY ($4::bytea[])
            """,
            .app(app),
            .numbers(rows.compactMap(\.own)),
            .texts(rows.compactMap { $0.row.registrationID?.text }),
            .byteArrays(rows.map(\.row.token.bytes))
        ).map { $0.ordinal(0) }
        guard !ordinals.isEmpty else { return ([], []) }
        let devices = try RegisteredDevice.lock(ordinals, of: app, in: session.connection)
        let ids: [ImportedID] = try session.records(
            "FROM importedID WHERE app = \(app) AND ordinal = ANY (\(numbers: ordinals)::bigint[])"
        )
        return (devices, ids)
    }

    private static func write(_ ids: [ImportedID], of app: App.ID, in session: StoreSession) {
        guard !ids.isEmpty else { return }
        let names = ids.map { $0.isName ? 1 : 0 }
        session.queue(
            """
            INSERT INTO importedID (app, id, ordinal, isName) SELECT \(app), id, ordinal, isName <> 0
            FROM unnest(\(ids.map(\.id.text))::text[], \(numbers: ids.map(\.device.ordinal))::bigint[], \(numbers: names)::bigint[])
                AS given (id, ordinal, isName)
            ON CONFLICT (app, id) DO UPDATE SET ordinal = excluded.ordinal, isName = excluded.isName
            """
        )
    }
}
