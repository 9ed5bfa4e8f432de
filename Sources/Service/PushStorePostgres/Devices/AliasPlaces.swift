import PostgresClient
import PushModel
import PushService
import PushStoreSQL

/// The places under aliases, which the nodes give to devices one after the other.
///
/// A transaction that sets an alias first takes the advisory lock of the alias and keeps it until its end. So it sees the devices of all
/// earlier ones, and no two take the last place. Locks of several aliases are taken in ascending order, before those of rows.
enum AliasPlaces {
    /// Distinguishes the advisory locks of aliases from others.
    private static let locks: Int64 = 0x616C_6961

    /// Takes the locks of aliases until the end of the transaction.
    static func lock(_ aliases: [String], of app: App.ID, in connection: PostgresConnection) throws {
        guard !aliases.isEmpty else { return }
        // The planner computes the targets of a sorted subquery in its order.
        try connection.execute(
            """
            SELECT pg_advisory_xact_lock(key) FROM (
                SELECT DISTINCT hashtextextended(alias, $2::bigint) AS key FROM unnest($1::text[]) AS alias ORDER BY key OFFSET 0
            ) AS keys
            """,
            .texts(aliases),
            .int64(locks << 16 | Int64(app))
        )
    }

    /// Takes a place for a device that will have the alias, in a transaction that has not locked rows yet.
    ///
    /// - Throws: ``AliasIsFull``, or an error of the server.
    static func take(_ claim: AliasClaim, for device: DeviceID, in connection: PostgresConnection) throws {
        try lock([claim.alias], of: device.app, in: connection)
        let others = try connection.execute(
            "SELECT 1 FROM device WHERE app = $1 AND alias = $2 AND lastSeen >= $3 AND ordinal <> $4 LIMIT $5",
            .app(device.app),
            .text(claim.alias),
            .date(claim.activeSince),
            .ordinal(device.ordinal),
            .int64(Int64(claim.limit))
        ).count
        guard others < claim.limit else { throw AliasIsFull(claim.alias) }
    }

    /// Returns the devices with each alias whose places rows of a file take, in a transaction that has not locked rows yet.
    /// Inactive devices take no place.
    static func holders(
        _ claims: [AliasClaim],
        of app: App.ID,
        in connection: PostgresConnection
    ) throws -> [ExactText: Set<DeviceOrdinal>] {
        guard let first = claims.first else { return [:] }
        try lock(claims.map(\.alias), of: app, in: connection)
        let rows = try connection.execute(
            "SELECT alias, ordinal FROM device WHERE app = $1 AND alias = ANY ($2::text[]) AND lastSeen >= $3",
            .app(app),
            .texts(claims.map(\.alias)),
            .date(first.activeSince)
        ).map { (alias: ExactText($0.text(0)), ordinal: $0.ordinal(1)) }
        return Dictionary(grouping: rows, by: \.alias).mapValues { Set($0.map(\.ordinal)) }
    }
}
