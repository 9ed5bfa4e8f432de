package import Foundation
import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

// Waiting chunks and their leases.
extension PostgresStore {
    package func reclaimLeases(besides owner: LeaseOwner, at now: Date) async throws {
        try await write { session -> Void in
            try session.connection.execute(
                """
                UPDATE chunk SET leaseOwner = NULL, leasedUntil = NULL
                WHERE NOT isDone AND leaseOwner IS NOT NULL AND leaseOwner <> $1 AND leasedUntil <= $2
                """,
                .int64(owner.rawValue),
                .date(now)
            )
        }
    }

    package func renewLeases(_ claim: LeaseClaim) async throws {
        try await write { session -> Void in
            try session.connection.execute(
                "UPDATE chunk SET leasedUntil = $1 WHERE NOT isDone AND leaseOwner = $2",
                .date(claim.expiresAt),
                .int64(claim.owner.rawValue)
            )
        }
    }

    package func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList]
    ) async throws -> Lease? {
        let attempt = DoubtfulLeases.Attempt()
        do {
            return try await write { session in
                let lease = try Self.lease(
                    lane,
                    at: now,
                    claim,
                    devices: devices,
                    besides: underWay,
                    in: session.connection
                )
                attempt.note(lease)
                return lease
            }
        } catch let error as StoreError {
            if case .unknownOutcome = error { doubtfulLeases.add(attempt, of: claim.owner) }
            throw error
        }
    }

    /// The number of chunks that a lease may skip because their devices have another push in progress.
    private static let mostPassed = 16

    private static func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList],
        in connection: PostgresConnection
    ) throws -> Lease? {
        guard try mayLease(claim.owner, connection),
            let access = try LaneAccess(to: lane, as: claim.owner, at: now, connection)
        else { return nil }
        var lease = Lease(lane: lane, items: [], isTrial: access.isTrial)
        var left = access.isTrial ? 0 : devices
        var meant = DeviceDeduplicator(underWay + access.devicesOfOthers)
        var passed = 0
        var taken: (unstarted: [Int64], messages: [Int64], numbers: [Int64]) = ([], [], [])
        for due in try due(in: lane, at: now, limit: max(left, 1), connection) {
            do {
                var (message, chunk) = try read(due, in: connection)
                let rest = chunk.rest
                guard lease.items.isEmpty || rest.count <= left else { break }
                // Later pushes to one of these devices wait for their turn; the others do not.
                guard meant.insert(rest), access.includes(chunk, of: message) else {
                    passed += 1
                    if passed > mostPassed { break }
                    continue
                }
                chunk.fence += 1
                if due.isUnstarted {
                    taken.unstarted.append(due.id.message.number)
                } else {
                    taken.messages.append(due.id.message.number)
                    taken.numbers.append(Int64(due.id.number))
                }
                message.delivery = lane.delivery
                lease.items.append((message, chunk))
                left -= rest.count
                guard left > 0 else { break }
            } catch let error as CorruptRow {
                try due.closeDamaged(at: now, in: StoreSession(connection))
                lease.damaged.append(DamagedChunk(id: due.id, description: "\(error)"))
            }
        }
        if !taken.unstarted.isEmpty { try StoredMessage.unfold(taken.unstarted, claim, in: connection) }
        if !taken.messages.isEmpty {
            connection.queue(
                """
                UPDATE chunk SET leaseOwner = $1, leasedUntil = $2, fence = fence + 1
                FROM unnest($3::bigint[], $4::bigint[]) AS taken (message, number)
                WHERE chunk.message = taken.message AND chunk.number = taken.number
                """,
                .int64(claim.owner.rawValue),
                .date(claim.expiresAt),
                .int64s(taken.messages),
                .int64s(taken.numbers)
            )
        }
        return lease.items.isEmpty && lease.damaged.isEmpty ? nil : lease
    }

    /// Returns whether an owner is not a membership that is over, and keeps the membership from ending before the transaction does.
    private static func mayLease(_ owner: LeaseOwner, _ connection: PostgresConnection) throws -> Bool {
        guard let claim = NodeClaim(owner: owner) else { return true }
        do { try check(claim, in: connection) } catch is NodeError { return false }
        return true
    }

    /// Returns the due chunks of a lane, in order, and locks them. Chunks that are being withdrawn are left out.
    private static func due(
        in lane: Lane,
        at now: Date,
        limit: Int,
        _ connection: PostgresConnection
    ) throws -> [WaitingChunk] {
        let values: [PostgresValue] = [.int64(lane.number), .date(now), .int64(Int64(limit))]
        let found = try connection.pipeline { pipeline in
            pipeline.add(
                """
                SELECT message, number, dueAt FROM chunk
                WHERE NOT isDone AND leaseOwner IS NULL AND lane = $1 AND dueAt <= $2 ORDER BY dueAt, message, number LIMIT $3
                FOR UPDATE SKIP LOCKED
                """,
                values
            )
            pipeline.add(
                """
                SELECT id, acceptedAt FROM message
                WHERE unstarted IS NOT NULL AND lane = $1 AND acceptedAt <= $2 ORDER BY acceptedAt, id LIMIT $3
                FOR UPDATE SKIP LOCKED
                """,
                values
            )
        }
        let chunks = found[0].map { (WaitingChunk($0.int64(0), $0.int64(1), isUnstarted: false), $0.int64(2)) }
        let messages = found[1].map { (WaitingChunk($0.int64(0), 0, isUnstarted: true), $0.int64(1)) }
        let all = (chunks + messages).sorted {
            ($0.1, $0.0.id.message.number, $0.0.id.number) < ($1.1, $1.0.id.message.number, $1.0.id.number)
        }
        return all.prefix(limit).map(\.0)
    }

    /// Reads a waiting chunk and its message.
    private static func read(_ due: WaitingChunk, in connection: PostgresConnection) throws -> (Message, Chunk) {
        let id = due.id
        let chunk: PostgresConnection.Statement = (
            "SELECT \(Chunk.columns) FROM chunk WHERE message = $1 AND number = $2",
            [.message(id.message), .int64(Int64(id.number))]
        )
        let message = StoredMessage.reading(id.message.number)
        let rows = try connection.pipeline(due.isUnstarted ? [message] : [message, chunk])
        guard let row = rows[0].first else {
            throw CorruptRow(table: "chunk", column: "message", found: id.message.description)
        }
        var found = try StoredMessage(row)
        if found.isBatch { try found.addPushes(in: StoreSession(connection)) }
        if due.isUnstarted, let chunk = found.onlyChunk { return (found.message, chunk) }
        guard let row = rows.last?.first, !due.isUnstarted else {
            throw CorruptRow(table: "message", column: "unstarted", found: id.message.description)
        }
        return (found.message, try Chunk(row))
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

    /// The lanes with waiting chunks: each lane and its first chunk are found by its number in an index, regardless of how many
    /// wait.
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
            (SELECT until FROM pause WHERE app = lane / 4
                AND environment = CASE WHEN lane & 2 = 2 THEN 'production' ELSE 'development' END),
            isShared
        FROM waiting CROSS JOIN LATERAL (
            SELECT EXISTS (
                SELECT 1 FROM chunk
                WHERE NOT isDone AND leaseOwner IS NOT NULL AND chunk.lane = waiting.lane AND leaseOwner <> $1
            ) AS isShared
        ) AS others
        WHERE NOT isShared OR (
            NOT EXISTS (
                SELECT 1 FROM pause WHERE app = lane / 4
                    AND environment = CASE WHEN lane & 2 = 2 THEN 'production' ELSE 'development' END
            ) AND \(LaneAccess.mayShare(lane: "waiting.lane", owner: "$1", now: "$2"))
        )
        ORDER BY lane
        """
}
