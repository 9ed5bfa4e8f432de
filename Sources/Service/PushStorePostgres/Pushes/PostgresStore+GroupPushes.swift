package import Foundation
import PostgresClient
import PushModel
package import PushService

// Pushes to groups of apps.
extension PostgresStore {
    package func groupPush(_ id: String, of group: AppGroup.ID) async throws -> GroupPush? {
        try await read { connection in
            try Self.groupPush("WHERE id = $1 AND appGroup = $2", [.text(id), .int64(group)], in: connection)
        }
    }

    package func groupPush(ofCID cid: String, of group: AppGroup.ID, since date: Date) async throws -> GroupPush? {
        try await read { try Self.groupPush(ofCID: cid, of: group, since: date, in: $0) }
    }

    private static func groupPush(
        ofCID cid: String,
        of group: AppGroup.ID,
        since date: Date,
        in connection: PostgresConnection
    ) throws -> GroupPush? {
        try groupPush(
            "WHERE appGroup = $1 AND cid = $2 AND acceptedAt >= $3 ORDER BY acceptedAt LIMIT 1",
            [.int64(group), .text(cid), .date(date)],
            in: connection
        )
    }

    package func accept(
        _ push: GroupPush,
        _ pushes: [PreparedPush],
        cidsSince: Date
    ) async throws -> GroupPush? {
        let node = node
        return try await write { session in
            let connection = session.connection
            Self.lock(push, in: connection)
            if let cid = push.cid {
                // Until the commit, no other push of the group with this cid is looked up.
                try connection.execute(
                    "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))",
                    .text(cid),
                    .int64(push.group)
                )
                let first = try Self.groupPush(ofCID: cid, of: push.group, since: cidsSince, in: connection)
                if let first { return first }
            }
            try connection.execute(
                "INSERT INTO groupPush (id, appGroup, cid, acceptedAt, answer) VALUES ($1, $2, $3, $4, $5)",
                .text(push.id),
                .int64(push.group),
                .text(push.cid),
                .date(push.acceptedAt),
                .text(push.answer.text)
            )
            let messages = push.messages.sorted { $0.key < $1.key }
            try connection.execute(
                """
                INSERT INTO groupPushMessage (groupPush, app, message)
                SELECT $1::text, * FROM unnest($2::bigint[], $3::bigint[])
                """,
                .text(push.id),
                .int64s(messages.map { Int64($0.key) }),
                .int64s(messages.map(\.value.number))
            )
            let request = AcceptRequest(batches: [], pushes: pushes, cidsSince: cidsSince)
            _ = try AcceptRequest.store([request], node: node, in: session)
            return nil
        } unlessAnswered: { connection in
            Self.lock(push, in: connection)
            // Not by its cid: that may be another one, which was accepted since.
            return try Self.groupPush("WHERE id = $1", [.text(push.id)], in: connection) != nil
        }
    }

    /// Distinguishes the advisory locks of group pushes from others.
    private static let pushLocks: Int64 = 0x6770_7573

    /// Takes the lock of a group push until the transaction ends, before the next statement.
    private static func lock(_ push: GroupPush, in connection: PostgresConnection) {
        connection.queue(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))",
            .text(push.id),
            .int64(pushLocks)
        )
    }

    /// * `condition`: what follows `FROM`.
    private static func groupPush(
        _ condition: String,
        _ values: [PostgresValue],
        in connection: PostgresConnection
    ) throws -> GroupPush? {
        let rows = try connection.execute(
            "SELECT id, appGroup, cid, acceptedAt, answer FROM groupPush \(condition)",
            values
        )
        guard let row = rows.first else { return nil }
        let answer = row.text(4)
        guard let json = try? JSONValue(parsing: answer) else {
            throw CorruptRow(table: "groupPush", column: "answer", found: answer)
        }
        let messages = try connection.execute(
            "SELECT app, message FROM groupPushMessage WHERE groupPush = $1",
            .text(row.text(0))
        )
        return GroupPush(
            id: row.text(0),
            group: row.int64(1),
            cid: row.optionalText(2),
            acceptedAt: row.date(3),
            answer: json,
            messages: Dictionary(
                uniqueKeysWithValues: messages.map { (App.ID(truncatingIfNeeded: $0.int64(0)), MessageID($0.int64(1))) }
            )
        )
    }
}
