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
    static func lock(_ aliases: [String], of app: App.ID, in session: StoreSession) {
        guard !aliases.isEmpty else { return }
        let key = locks << 16 | Int64(app)
        // The planner computes the targets of a sorted subquery in its order.
        session.queue(
            """
            SELECT pg_advisory_xact_lock(key) FROM (
                SELECT DISTINCT hashtextextended(alias, \(key)::bigint) AS key FROM unnest(\(aliases)::text[]) AS alias
                ORDER BY key OFFSET 0
            ) AS keys
            """
        )
    }

    /// Takes a place for a device that will have the alias, in a transaction that has not locked rows yet.
    ///
    /// - Returns: the devices that lose the alias.
    /// - Throws: ``AliasIsFull``, or an error of the server.
    static func take(
        _ claim: AliasClaim,
        for device: DeviceID,
        in session: StoreSession
    ) throws -> [DeviceOrdinal] {
        lock([claim.alias], of: device.app, in: session)
        let others = try session.rows(
            """
            SELECT device.ordinal, lastSeen, isAliasProved, EXISTS (
                SELECT 1 FROM link JOIN node ON node.id = link.node AND node.fence = link.fence AND NOT isOver
                WHERE link.app = device.app AND link.ordinal = device.ordinal
            ) FROM device WHERE app = \(device.app) AND alias = \(claim.alias) AND lastSeen >= \(claim.activeSince)
                AND ordinal <> \(device.ordinal)
            """
        ) { AliasPlaceHolder($0.ordinal(0), lastSeen: $0.date(1), isProved: $0.bool(2), isLinked: $0.bool(3)) }
        guard let losers = claim.losers(among: others, count: others.count - claim.limit + 1) else {
            throw AliasIsFull(claim.alias)
        }
        return losers
    }

    /// Returns the devices with each alias whose places rows of a file take, in a transaction that has not locked rows yet.
    /// Inactive devices take no place.
    static func holders(
        _ claims: [AliasClaim],
        of app: App.ID,
        in session: StoreSession
    ) throws -> [ExactText: Set<DeviceOrdinal>] {
        guard let first = claims.first else { return [:] }
        let aliases = claims.map(\.alias)
        lock(aliases, of: app, in: session)
        let rows = try session.rows(
            """
            SELECT alias, ordinal FROM device
            WHERE app = \(app) AND alias = ANY (\(aliases)::text[]) AND lastSeen >= \(first.activeSince)
            """
        ) { (alias: ExactText($0.text(0)), ordinal: $0.ordinal(1)) }
        return Dictionary(grouping: rows, by: \.alias).mapValues { Set($0.map(\.ordinal)) }
    }
}
