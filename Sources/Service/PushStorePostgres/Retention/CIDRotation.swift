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
    /// Writers wait for at most a second. If the partition is being read for longer, by a backup for example, the next call tries again.
    @discardableResult
    static func turn(usedBefore date: Int64, at now: Int64, in store: PostgresStore) async throws -> Bool {
        do {
            return try await store.change { try turn(usedBefore: date, at: now, in: $0) }
        } catch PostgresError.refused(sqlState: lockNotAvailable, _) { return false }
    }

    /// Does so in a transaction; the server refuses a statement if it has to wait for more than a second.
    static func turn(usedBefore date: Int64, at now: Int64, in session: StoreSession) throws -> Bool {
        // Another node may be at it.
        let slot = try session.firstNumber(
            "SELECT slot FROM cidRotation WHERE closedAt < \(date) FOR UPDATE SKIP LOCKED"
        )
        guard let open = slot else { return false }
        let closed = 1 - open
        session.queue("SET LOCAL lock_timeout = '1s'")
        // Uses by a node whose clock is ahead still count.
        session.queue(
            """
            INSERT INTO usedCID (slot, app, cid, message, sendno, usedAt)
            SELECT \(open), app, cid, message, sendno, usedAt FROM usedCID WHERE slot = \(closed) AND usedAt >= \(date)
            ORDER BY app, cid ON CONFLICT DO NOTHING
            """
        )
        session.lock(.number(lock))
        session.queue("TRUNCATE usedCID\(raw: "\(closed)")")
        try session.execute("UPDATE cidRotation SET slot = \(closed), closedAt = \(now)")
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
        let found = try first("SELECT app, names FROM message JOIN batch ON first = id WHERE id = \(id)") {
            (app: $0.app(0), names: $0.bytes(1))
        }
        // Those of a damaged batch are deleted when their window is over.
        guard let found, let names = try? BatchNames(packed: found.names).names else { return }
        queue(
            """
            DELETE FROM usedCID USING unnest(\(names.map(\.cid))::text[], \(numbers: names.map(\.id.number))::bigint[]) AS old (cid, message)
            WHERE usedCID.app = \(found.app) AND usedCID.cid = old.cid AND usedCID.message = old.message
            """
        )
    }
}
