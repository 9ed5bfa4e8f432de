import PostgresClient
import PushModel
import PushService
import PushStoreSQL

extension StoredMessage {
    /// The statement that reads the message of this row, for ``init(_:)``.
    static func reading(_ id: Int64) -> PostgresConnection.Statement { (query, [.int64(id)]) }

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
            .optional(claim?.owner.rawValue),
            .optional(claim?.expiresAt.milliseconds),
            .int64(claim == nil ? 0 : 1)
        )
    }
}
