package import Foundation
import GRDB
import PushModel
package import PushService
import PushStoreSQL

// Waiting chunks and their leases.
extension SQLiteStore {
    package func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList]
    ) async throws -> Lease? {
        // A read costs no commit, and most reads find nothing.
        let isDue = try await read { database in
            try Self.mayLease(lane, as: claim.owner, at: now, database) != nil
                && !Self.due(in: lane, at: now, limit: 1, database).isEmpty
        }
        guard isDue else { return nil }
        return try await writes.write { database in
            guard let isTrial = try Self.mayLease(lane, as: claim.owner, at: now, database) else { return nil }
            return try Lease(
                of: lane,
                isTrial: isTrial,
                devices: devices,
                besides: underWay,
                at: now,
                in: SQLiteSession(database: database)
            ) {
                try Self.due(in: lane, at: now, limit: $0, database)
            } read: {
                try Self.read($0, in: database)
            } lease: {
                try Self.lease($0, claim, in: database)
                return true
            }
        }
    }

    /// - Returns: nil while the lane is paused or another owner works in it; otherwise whether a pause has ended.
    private static func mayLease(
        _ lane: Lane,
        as owner: LeaseOwner,
        at now: Date,
        _ database: Database
    ) throws -> Bool? {
        guard try !isWorkedBy(others: owner, lane, in: database) else { return nil }
        let pause = try pausedUntil(lane, in: database)
        guard pause ?? 0 <= now.milliseconds else { return nil }
        return pause != nil
    }

    private static func isWorkedBy(others owner: LeaseOwner, _ lane: Lane, in database: Database) throws -> Bool {
        var question = try StatementBinding(
            "SELECT 1 FROM chunk WHERE NOT isDone AND leaseOwner IS NOT NULL AND lane = ? AND leaseOwner <> ? LIMIT 1",
            in: database
        )
        question.bind(lane.number)
        question.bind(owner.rawValue)
        return try question.first(in: database) { _ in true } ?? false
    }

    private static func pausedUntil(_ lane: Lane, in database: Database) throws -> Int64? {
        var question = try StatementBinding("SELECT until FROM destinationPause WHERE destination = ?", in: database)
        question.bind(lane.destination.number)
        return try question.first(in: database) { $0.int64(0) }
    }

    /// Returns the due chunks of a lane, in order.
    private static func due(in lane: Lane, at now: Date, limit: Int, _ database: Database) throws -> [Chunk.ID] {
        var question = try StatementBinding(
            """
            SELECT message, number, dueAt FROM (
                SELECT message, number, dueAt FROM chunk
                WHERE NOT isDone AND leaseOwner IS NULL AND lane = ?1 AND dueAt <= ?2 ORDER BY dueAt, message, number LIMIT ?3
            )
            UNION ALL
            SELECT message, number, dueAt FROM (
                SELECT id AS message, 0 AS number, acceptedAt AS dueAt FROM message
                WHERE unstarted IS NOT NULL AND lane = ?1 AND acceptedAt <= ?2 ORDER BY acceptedAt, id LIMIT ?3
            )
            ORDER BY dueAt, message, number LIMIT ?3
            """,
            in: database
        )
        question.bind(lane.number)
        question.bind(now.milliseconds)
        question.bind(Int64(limit))
        var due: [Chunk.ID] = []
        try question.forEach(in: database) { row in
            due.append(Chunk.ID(message: row.message(0), number: row.int(1)))
            return true
        }
        return due
    }

    private static func read(_ id: Chunk.ID, in database: Database) throws -> WaitingPush? {
        var question = try StatementBinding(WaitingPush.query, in: database)
        question.bind(id.message.number)
        question.bind(Int64(id.number))
        return try question.first(in: database) { try WaitingPush($0) }
    }

    /// Records that a worker has leased a chunk, which has its own row from now on.
    private static func lease(_ push: WaitingPush, _ claim: LeaseClaim, in database: Database) throws {
        let id = push.chunk.id
        let fence = push.chunk.fence + 1
        if push.isUnstarted { return try unfold(id.message.number, as: fence, claim, in: database) }
        var update = try StatementBinding(
            "UPDATE chunk SET leaseOwner = ?, leasedUntil = ?, fence = ? WHERE message = ? AND number = ?",
            in: database
        )
        update.bind(claim.owner.rawValue)
        update.bind(claim.expiresAt.milliseconds)
        update.bind(fence)
        update.bind(id.message.number)
        update.bind(Int64(id.number))
        try update.execute(in: database)
    }

    /// Moves the only chunk of a message from the message's row to its own, optionally with a lease.
    static func unfold(
        _ message: Int64,
        as fence: Int64 = 0,
        _ claim: LeaseClaim? = nil,
        in database: Database
    ) throws {
        let columns = """
            message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, attempt, cursor, prepared,
            sent, settled, problem, updatedAt, lane, origin, deferred
            """
        var chunk = try StatementBinding(
            """
            INSERT INTO chunk (\(columns), leaseOwner, leasedUntil, fence) SELECT \(columns), ?2, ?3, ?4
            FROM unstartedChunk WHERE message = ?1
            """,
            in: database
        )
        chunk.bind(message)
        chunk.bind(claim?.owner.rawValue)
        chunk.bind(claim?.expiresAt.milliseconds)
        chunk.bind(fence)
        try chunk.execute(in: database)
        guard database.changesCount > 0 else { return }
        var rest = try StatementBinding("UPDATE message SET unstarted = NULL WHERE id = ?", in: database)
        rest.bind(message)
        try rest.execute(in: database)
    }

    package func waiting(for owner: LeaseOwner, at now: Date) async throws -> [WaitingLane] {
        try await read { try Self.lanes(for: owner, at: now, in: $0) }
    }

    /// Returns the lanes with waiting chunks: each lane and its first chunk are found by its number in an index, regardless of
    /// how many wait.
    private static func lanes(for owner: LeaseOwner, at now: Date, in database: Database) throws -> [WaitingLane] {
        // A date rounded to milliseconds may be later than the original moment: a chunk that is due by its row is due.
        func date(_ milliseconds: Int64) -> Date {
            let date = Date(milliseconds: milliseconds)
            return milliseconds <= now.milliseconds ? min(date, now) : date
        }
        let numbers = try database.cachedStatement(
            sql: """
                WITH RECURSIVE waiting (lane) AS (
                    SELECT min(lane) FROM chunk WHERE NOT isDone AND leaseOwner IS NULL
                    UNION ALL
                    SELECT (SELECT min(lane) FROM chunk WHERE NOT isDone AND leaseOwner IS NULL AND lane > waiting.lane)
                    FROM waiting WHERE lane IS NOT NULL
                ),
                unstarted (lane) AS (
                    SELECT min(lane) FROM message WHERE unstarted IS NOT NULL
                    UNION ALL
                    SELECT (SELECT min(lane) FROM message WHERE unstarted IS NOT NULL AND lane > unstarted.lane)
                    FROM unstarted WHERE lane IS NOT NULL
                )
                SELECT lane FROM waiting WHERE lane IS NOT NULL UNION SELECT lane FROM unstarted WHERE lane IS NOT NULL
                """
        )
        var first = try StatementBinding(
            """
            SELECT dueAt, message, number FROM (
                SELECT dueAt, message, number FROM chunk WHERE NOT isDone AND leaseOwner IS NULL AND lane = ?1
                ORDER BY dueAt, message, number LIMIT 1
            )
            UNION ALL
            SELECT dueAt, message, number FROM (
                SELECT acceptedAt AS dueAt, id AS message, 0 AS number FROM message
                WHERE unstarted IS NOT NULL AND lane = ?1 ORDER BY acceptedAt, id LIMIT 1
            )
            ORDER BY dueAt, message, number LIMIT 1
            """,
            in: database
        )
        return try Int64.fetchAll(numbers).compactMap { number in
            let lane = Lane(number: number)
            first.bind(number)
            guard let dueAt = try first.first(in: database, { $0.int64(0) }),
                try !isWorkedBy(others: owner, lane, in: database)
            else { return nil }
            return WaitingLane(
                lane: lane,
                dueAt: date(dueAt),
                pausedUntil: try pausedUntil(lane, in: database).map(date)
            )
        }
    }
}
