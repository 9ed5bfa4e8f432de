package import Foundation
import PostgresClient
package import PushModel
import PushService
import PushStoreSQL

/// The two partitions of cids, which take turns.
///
/// Writers hold a lock in shared mode until their transaction ends. The change of partitions takes it in exclusive mode: afterwards no use
/// is written to the closed partition any more, and every use in it can be seen by all. So a writer that finds no use of a cid
/// there, and can write its own to the open partition, is the only one.
enum CIDRotation {
    /// The key of the advisory lock.
    static let lock: Int64 = 0x6369_6473 << 32
    /// The statement of a writer, before it looks for earlier uses.
    static let sharing: PostgresConnection.Statement = ("SELECT pg_advisory_xact_lock_shared($1)", [.int64(lock)])
    /// The code of the server for a lock that was not to be had in time.
    private static let lockNotAvailable = "55P03"

    /// Returns a subquery for the uses of a cid since a date: message, sendno and time. All values are in SQL.
    static func uses(app: String, cid: String, since date: String) -> String {
        func select(from table: String) -> String {
            """
            SELECT message, sendno, usedAt FROM \(table) AS old
            WHERE old.app = \(app) AND old.cid = \(cid) AND old.usedAt >= \(date)
            """
        }
        return "LATERAL (\(select(from: "usedCID")) UNION ALL \(select(from: "cid")) OFFSET 0)"
    }

    /// Empties the closed partition and opens it, if it was closed before `date`, before which a use no longer counts, and
    /// returns whether the partitions have changed.
    ///
    /// Writers wait for at most a second. If the partition is being read for longer, by a backup for example, the next call
    /// tries again.
    @discardableResult
    static func turn(usedBefore date: Int64, at now: Int64, in store: PostgresStore) async throws -> Bool {
        do {
            return try await store.write { try turn(usedBefore: date, at: now, in: $0.connection) }
        } catch PostgresError.refused(sqlState: lockNotAvailable, _, _) {
            return false
        }
    }

    /// Does so in a transaction; the server refuses a statement if it has to wait for more than a second.
    static func turn(usedBefore date: Int64, at now: Int64, in connection: PostgresConnection) throws -> Bool {
        // Another node may be at it.
        let rows = try connection.execute(
            "SELECT slot FROM cidRotation WHERE closedAt < $1 FOR UPDATE SKIP LOCKED",
            .int64(date)
        )
        guard let open = rows.first?.int64(0) else { return false }
        let closed = 1 - open
        try connection.execute("SET LOCAL lock_timeout = '1s'")
        // Uses by a node whose clock is ahead still count.
        try connection.execute(
            """
            INSERT INTO usedCID (slot, app, cid, message, sendno, usedAt)
            SELECT $1, app, cid, message, sendno, usedAt FROM usedCID WHERE slot = $2 AND usedAt >= $3
            ORDER BY app, cid ON CONFLICT DO NOTHING
            """,
            .int64(open),
            .int64(closed),
            .int64(date)
        )
        try connection.execute("SELECT pg_advisory_xact_lock($1)", .int64(lock))
        try connection.execute("TRUNCATE usedCID\(closed)")
        try connection.execute("UPDATE cidRotation SET slot = $1, closedAt = $2", .int64(closed), .int64(now))
        return true
    }
}

extension PostgresStore {
    package func rotateCIDs(usedBefore date: Date) async throws {
        let now = date.addingTimeInterval(TimeInterval(JPushLimits.cidLifetime))
        try await CIDRotation.turn(usedBefore: date.milliseconds, at: now.milliseconds, in: self)
    }
}

extension StoreSession {
    /// Deletes the cids of a batch's pushes: they end with the batch.
    package func forgetCIDs(ofBatch id: MessageID) throws {
        let rows = try connection.execute(
            "SELECT app, names FROM message JOIN batch ON first = id WHERE id = $1",
            .message(id)
        )
        // Those of a damaged batch are deleted when their window is over.
        guard let row = rows.first, let names = try? BatchNames(packed: row.bytes(1)).names else { return }
        try connection.execute(
            """
            DELETE FROM usedCID USING unnest($2::text[], $3::bigint[]) AS old (cid, message)
            WHERE usedCID.app = $1 AND usedCID.cid = old.cid AND usedCID.message = old.message
            """,
            .int64(row.int64(0)),
            .texts(names.map(\.cid)),
            .int64s(names.map(\.id.number))
        )
    }
}
