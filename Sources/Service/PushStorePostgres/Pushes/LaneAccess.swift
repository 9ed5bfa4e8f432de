import Foundation
import PostgresClient
import PushModel
import PushService
import PushStoreSQL

/// The chunks that an owner may lease in a lane, for the rest of a transaction.
struct LaneAccess {
    /// Whether a pause has ended, and one push finds out if the lane works again.
    let isTrial: Bool
    /// The devices of chunks that other owners have leased in the lane.
    let devicesOfOthers: [OrdinalList]
    /// The messages of these chunks.
    private let messagesOfOthers: Set<MessageID>

    /// Distinguishes the advisory locks of lanes from others.
    private static let locks: Int64 = 0x6C61 << 32
    /// A lane is shared if more waits in it, measured in bytes of packed ordinals: at least a byte for each device.
    private static let step = LanePlan.stepSize

    /// - Returns: nil while the lane is paused or left to other owners, or one of them leases in it at this moment.
    init?(to lane: Lane, as owner: LeaseOwner, at now: Date, _ connection: PostgresConnection) throws {
        let found = try connection.pipeline([
            // Held until the end of the transaction, so that two nodes never lease in a lane at a time.
            ("SELECT pg_try_advisory_xact_lock($1)", [.int64(Self.locks | lane.number)]),
            (
                """
                SELECT EXISTS (
                    SELECT 1 FROM chunk WHERE NOT isDone AND leaseOwner IS NOT NULL AND lane = $1 AND leaseOwner <> $2
                ), (SELECT until FROM destinationPause WHERE destination = $3)
                """,
                [.int64(lane.number), .int64(owner.rawValue), .int64(lane.destination.number)]
            ),
        ])
        guard found[0].first?.bool(0) == true, let row = found[1].first else { return nil }
        let pause = row.optionalInt64(1)
        guard pause ?? 0 <= now.milliseconds else { return nil }
        isTrial = pause != nil
        guard row.bool(0) else {
            devicesOfOthers = []
            messagesOfOthers = []
            return
        }
        // One node finds out whether a pause has ended.
        guard !isTrial, try Self.mayShare(lane, as: owner, at: now, connection) else { return nil }
        let others = try connection.execute(
            """
            SELECT message, ordinals FROM chunk
            WHERE NOT isDone AND leaseOwner IS NOT NULL AND lane = $1 AND leaseOwner <> $2
            """,
            .int64(lane.number),
            .int64(owner.rawValue)
        )
        devicesOfOthers = others.map { $0.ordinals(1) }
        messagesOfOthers = Set(others.map { MessageID($0.int64(0)) })
    }

    /// Returns whether a chunk may be leased while other owners work in the lane.
    ///
    /// Chunks of a push with a send rate, or spread over minutes, are not due at acceptance. At several owners, it would exceed its rate.
    func includes(_ chunk: Chunk, of message: Message) -> Bool {
        chunk.kind == .retry || chunk.dueAt <= message.acceptedAt || !messagesOfOthers.contains(chunk.id.message)
    }

    private static func mayShare(
        _ lane: Lane,
        as owner: LeaseOwner,
        at now: Date,
        _ connection: PostgresConnection
    ) throws -> Bool {
        try connection.execute(
            "SELECT \(mayShare(lane: "$1", owner: "$2", now: "$3"))",
            .int64(lane.number),
            .int64(owner.rawValue),
            .date(now)
        ).first?.bool(0) == true
    }

    /// Returns, in SQL, the condition under which an owner may work in a lane together with others: it does already, or
    /// more than a step is waiting.
    static func mayShare(lane: String, owner: String, now: String) -> String {
        """
        (EXISTS (SELECT 1 FROM chunk WHERE NOT isDone AND leaseOwner IS NOT NULL AND lane = \(lane) AND leaseOwner = \(owner))
            OR \(step) < coalesce((SELECT sum(size) FROM (
                (SELECT octet_length(ordinals) AS size FROM chunk
                    WHERE NOT isDone AND leaseOwner IS NULL AND lane = \(lane) AND dueAt <= \(now) LIMIT \(step + 1))
                UNION ALL
                (SELECT octet_length(unstarted) FROM message
                    WHERE unstarted IS NOT NULL AND lane = \(lane) AND acceptedAt <= \(now) LIMIT \(step + 1))
            ) AS first), 0))
        """
    }
}
