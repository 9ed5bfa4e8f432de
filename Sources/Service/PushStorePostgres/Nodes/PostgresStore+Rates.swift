import PostgresClient
package import PushService
import PushStoreSQL

extension PostgresStore: RateStore {
    package func take(_ calls: Int, of limit: Int, for key: String) async throws -> RateShare {
        try await change { session in
            let row = try session.connection.execute(
                Self.takeCalls,
                .text(key),
                .int64(Int64(limit)),
                .int64(Int64(calls)),
                .int64(Self.window)
            )[0]
            return RateShare(
                window: row.int64(0),
                calls: row.int(1),
                left: max(0, limit - row.int(2)),
                ends: .milliseconds(max(0, row.int64(3)))
            )
        }
    }

    package func deleteWindows(limit: Int) async throws -> Bool {
        // One that is being taken from is left alone, which also prevents deadlocks.
        try await execute(
            """
            DELETE FROM rateWindow WHERE key IN (
                SELECT key FROM rateWindow WHERE endsAt <= \(raw: Self.serverTime) LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            """
        ) == limit
    }

    /// The duration of a window in milliseconds.
    private static let window: Int64 = 60_000

    /// Whether a window is over, in ``takeCalls``. One that ends later than a new one would is of a clock that was set back; less than ten
    /// seconds are those for which a statement has waited.
    private static let isOver = "(known.endsAt <= excluded.endsAt - $4 OR known.endsAt > excluded.endsAt + 10000)"

    /// Takes calls from the window `$1`; `$2`: its limit, `$3`: the calls wished for, `$4`: the duration of a window.
    ///
    /// Returns its end, which is also its number, the calls given, the calls used in all, and the milliseconds that are left.
    private static let takeCalls = """
        INSERT INTO rateWindow AS known (key, endsAt, used, granted)
        VALUES ($1, \(serverTime) + $4, least($3, $2), least($3, $2))
        ON CONFLICT (key) DO UPDATE SET endsAt = CASE WHEN \(isOver) THEN excluded.endsAt ELSE known.endsAt END,
            used = CASE WHEN \(isOver) THEN excluded.used ELSE known.used + least($3, greatest(0, $2 - known.used)) END,
            granted = CASE WHEN \(isOver) THEN excluded.granted ELSE least($3, greatest(0, $2 - known.used)) END
        RETURNING endsAt, granted, used, endsAt - \(serverTime)
        """
}
