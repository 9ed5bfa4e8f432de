package import Foundation
import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

// Waiting chunks and their leases.
extension PostgresStore {
    package func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList]
    ) async throws -> Lease? {
        let attempt = DoubtfulLeases.Attempt()
        do {
            return try await change { session in
                let lease = try Self.lease(lane, at: now, claim, devices: devices, besides: underWay, in: session)
                attempt.note(lease)
                return lease
            }
        } catch let error as StoreError {
            if case .unknownOutcome = error { doubtfulLeases.add(attempt, of: claim.owner) }
            throw error
        }
    }

    private static func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList],
        in session: StoreSession
    ) throws -> Lease? {
        let connection = session.connection
        guard try mayLease(claim.owner, in: session),
            let access = try LaneAccess(to: lane, as: claim.owner, at: now, connection)
        else { return nil }
        var unstarted: [Int64] = []
        var started: [Chunk.ID] = []
        let lease = try Lease(
            of: lane,
            isTrial: access.isTrial,
            devices: devices,
            besides: underWay + access.devicesOfOthers,
            at: now,
            in: session
        ) {
            try due(in: lane, at: now, limit: $0, connection)
        } read: { id in
            let values: [PostgresValue] = [.message(id.message), .int64(Int64(id.number))]
            return try connection.execute(WaitingPush.query, values).first.map { try WaitingPush($0) }
        } lease: { push in
            guard access.includes(push.chunk, of: push.message) else { return false }
            if push.isUnstarted { unstarted.append(push.message.id.number) } else { started.append(push.chunk.id) }
            return true
        }
        if !unstarted.isEmpty { try unfold(unstarted, claim, in: connection) }
        if !started.isEmpty {
            connection.queue(
                """
                UPDATE chunk SET leaseOwner = $1, leasedUntil = $2, fence = fence + 1
                FROM unnest($3::bigint[], $4::bigint[]) AS leased (message, number)
                WHERE chunk.message = leased.message AND chunk.number = leased.number
                """,
                .int64(claim.owner.rawValue),
                .date(claim.expiresAt),
                .int64s(started.map(\.message.number)),
                .numbers(started.map(\.number))
            )
        }
        return lease
    }

    /// Returns whether an owner is not a membership that is over, and keeps the membership from ending before the transaction does.
    private static func mayLease(_ owner: LeaseOwner, in session: StoreSession) throws -> Bool {
        guard let claim = NodeClaim(owner: owner) else { return true }
        do { try check(claim, in: session) } catch is NodeError { return false }
        return true
    }

    /// Returns the due chunks of a lane, in order, and locks them. Chunks that are being withdrawn are left out.
    private static func due(
        in lane: Lane,
        at now: Date,
        limit: Int,
        _ connection: PostgresConnection
    ) throws -> [Chunk.ID] {
        let values: [PostgresValue] = [.int64(lane.number), .date(now), .int64(Int64(limit))]
        let found = try connection.pipeline([
            (
                """
                SELECT message, number, dueAt FROM chunk
                WHERE NOT isDone AND leaseOwner IS NULL AND lane = $1 AND dueAt <= $2 ORDER BY dueAt, message, number LIMIT $3
                FOR UPDATE SKIP LOCKED
                """,
                values
            ),
            (
                """
                SELECT id, 0::bigint, acceptedAt FROM message
                WHERE unstarted IS NOT NULL AND lane = $1 AND acceptedAt <= $2 ORDER BY acceptedAt, id LIMIT $3
                FOR UPDATE SKIP LOCKED
                """,
                values
            ),
        ])
        let chunks = found.joined().map {
            (id: Chunk.ID(message: $0.message(0), number: $0.int(1)), dueAt: $0.int64(2))
        }
        let sorted = chunks.sorted {
            ($0.dueAt, $0.id.message.number, $0.id.number) < ($1.dueAt, $1.id.message.number, $1.id.number)
        }
        return sorted.prefix(limit).map(\.id)
    }

    /// Moves the only chunks of messages from the messages' rows to rows of their own, with a lease if there is a claim.
    static func unfold(_ messages: [Int64], _ claim: LeaseClaim? = nil, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            WITH held AS (
                SELECT id, app, unstarted, acceptedAt, lane FROM message WHERE id = ANY($1) AND unstarted IS NOT NULL FOR UPDATE
            ),
            emptied AS (UPDATE message SET unstarted = NULL FROM held WHERE message.id = held.id)
            INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone,
                updatedAt, lane, leaseOwner, leasedUntil, fence)
            SELECT id, 0, app, 'send', unstarted, 0, 4294967295, false, acceptedAt, false, acceptedAt, lane, $2::bigint,
                $3::bigint, $4::bigint FROM held
            """,
            .int64s(messages),
            .int64(claim?.owner.rawValue),
            .int64(claim?.expiresAt.milliseconds),
            .int64(claim == nil ? 0 : 1)
        )
    }

    package func waiting(for owner: LeaseOwner, at now: Date) async throws -> [WaitingLane] {
        try await doubtfulLeases.release(in: self)
        return try await readOnce { connection in
            try connection.execute(Self.waitingLanes, .int64(owner.rawValue), .date(now)).map { row in
                // A date rounded to milliseconds may be later than the original moment: a chunk that is due by its row is due.
                func date(_ milliseconds: Int64) -> Date {
                    let date = Date(milliseconds: milliseconds)
                    return milliseconds <= now.milliseconds ? min(date, now) : date
                }
                return WaitingLane(
                    lane: Lane(number: row.int64(0)),
                    dueAt: date(row.int64(1)),
                    pausedUntil: row.optionalInt64(2).map(date),
                    isShared: row.bool(3)
                )
            }
        }
    }

    /// The lanes with waiting chunks: each lane and its first chunk are found by its number in an index, regardless of how many wait.
    private static let waitingLanes = """
        WITH RECURSIVE started (lane) AS (
            (SELECT min(lane) FROM chunk WHERE NOT isDone AND leaseOwner IS NULL)
            UNION ALL
            SELECT (SELECT min(lane) FROM chunk WHERE NOT isDone AND leaseOwner IS NULL AND lane > started.lane)
            FROM started WHERE lane IS NOT NULL
        ),
        unstarted (lane) AS (
            (SELECT min(lane) FROM message WHERE unstarted IS NOT NULL)
            UNION ALL
            SELECT (SELECT min(lane) FROM message WHERE unstarted IS NOT NULL AND lane > unstarted.lane)
            FROM unstarted WHERE lane IS NOT NULL
        ),
        waiting AS (SELECT lane FROM started WHERE lane IS NOT NULL UNION SELECT lane FROM unstarted WHERE lane IS NOT NULL)
        SELECT lane, least(
                (SELECT min(dueAt) FROM chunk WHERE NOT isDone AND leaseOwner IS NULL AND chunk.lane = waiting.lane),
                (SELECT min(acceptedAt) FROM message WHERE message.unstarted IS NOT NULL AND message.lane = waiting.lane)
            ),
            (SELECT until FROM destinationPause WHERE destination = lane & -2),
            isShared
        FROM waiting CROSS JOIN LATERAL (
            SELECT EXISTS (
                SELECT 1 FROM chunk
                WHERE NOT isDone AND leaseOwner IS NOT NULL AND chunk.lane = waiting.lane AND leaseOwner <> $1
            ) AS isShared
        ) AS others
        WHERE NOT isShared OR (
            NOT EXISTS (
                SELECT 1 FROM destinationPause WHERE destination = lane & -2
            ) AND \(LaneAccess.mayShare(lane: "waiting.lane", owner: "$1", now: "$2"))
        )
        ORDER BY lane
        """
}
