import Foundation
import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

/// The statements that write many devices at once.
enum DeviceStatements {
    /// Gives a block of ordinals to a node.
    ///
    /// In a transaction of its own: the row stays locked until the commit. `$1`: app; `$2`: the number of ordinals. Returns the first.
    static let claimOrdinals = """
        INSERT INTO deviceOrdinal AS known (app, next) VALUES ($1, $2)
        ON CONFLICT (app) DO UPDATE SET next = known.next + excluded.next
        RETURNING next - $2
        """

    /// The columns of a device after its app, in the order of ``write``.
    static let columns = DeviceColumn.allCases.filter { $0 != .app }

    private static let names = columns.map(\.name).joined(separator: ", ")

    /// Inserts or updates devices and adds them to the node's log, in the order of their ordinals.
    ///
    /// `$1`: node; `$2`: app; `$3`: the bits of the change; then an array for each of ``columns``, which has its type. It waits for
    /// the node's earlier writes to commit.
    static let write = """
        WITH written AS (
            INSERT INTO device (app, \(names))
            SELECT $2::bigint, given.* FROM unnest(\(arrays)) AS given (\(names))
            ON CONFLICT (app, ordinal) DO UPDATE SET \(DeviceColumn.assignments)
            RETURNING ordinal, version
        ), \(logged(change: "$3", returning: "position"))
        """

    private static let arrays = columns.indices.map { "$\($0 + 4)" }.joined(separator: ", ")

    /// Adds the rows of `written` to the log of node `$1` for app `$2`, at the next positions.
    private static func logged(change: String, returning column: String) -> String {
        """
        head AS (
            INSERT INTO registryHead AS known (node, position) SELECT $1::bigint, count(*) FROM written
            ON CONFLICT (node) DO UPDATE SET position = known.position + excluded.position
            RETURNING position
        )
        INSERT INTO registryLog (node, position, app, ordinal, version, change, at)
        SELECT $1::bigint, head.position - (SELECT count(*) FROM written) + row_number() OVER (ORDER BY ordinal),
            $2::bigint, ordinal, version, \(change)::bigint, \(PostgresStore.serverTime)
        FROM written, head
        RETURNING \(column)
        """
    }

    /// Deletes devices that were last seen before a date, with their tokens and imported ids, and logs a tombstone for each.
    ///
    /// A tombstone's version is the device's next one, so that no earlier change brings the device back.
    /// `$1`: node; `$2`: app; `$3`: ordinals; `$4`: the date. Returns the deleted ordinals.
    static let delete = """
        WITH written AS (
            DELETE FROM device WHERE app = $2 AND ordinal = ANY ($3::bigint[]) AND lastSeen < $4
            RETURNING ordinal, version + 1 AS version
        ), ids AS (
            DELETE FROM importedID WHERE app = $2 AND ordinal IN (SELECT ordinal FROM written)
        ), tokens AS (
            DELETE FROM channelToken WHERE app = $2 AND ordinal IN (SELECT ordinal FROM written)
        ), cursors AS (
            DELETE FROM messageCursor WHERE app = $2 AND ordinal IN (SELECT ordinal FROM written)
        ), links AS (
            DELETE FROM link WHERE app = $2 AND ordinal IN (SELECT ordinal FROM written)
        ), \(logged(change: "4", returning: "ordinal"))
        """
}

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
            .numbers(ordinals)
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
