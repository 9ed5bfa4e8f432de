package import Foundation
import PostgresClient
package import PushModel
package import PushService

// The events that wait for callback addresses.
extension PostgresStore {
    package func takeCallbacks(
        at now: Date,
        pushes: Int,
        events: Int,
        deferral: Date
    ) async throws -> [CallbackBatch] {
        // Without due events nothing is written.
        guard let next = try await nextCallbackDue(), next <= now else { return [] }
        return try await write { session in
            let connection = session.connection
            let messages = try connection.execute(
                """
                SELECT message FROM callbackEvent WHERE dueAt <= $1 GROUP BY message ORDER BY min(dueAt), message LIMIT $2
                """,
                .date(now),
                .int64(Int64(pushes))
            ).map { $0.int64(0) }
            return try messages.compactMap { message in
                guard var batch = try Self.batch(of: message, in: connection) else {
                    try connection.execute("DELETE FROM callbackEvent WHERE message = $1", .int64(message))
                    return nil
                }
                // Another node takes those that are locked.
                let rows = try connection.execute(
                    """
                    SELECT number, kind, part, at, ordinals, attempts FROM callbackEvent WHERE message = $1 AND dueAt <= $2
                    ORDER BY number LIMIT $3 FOR UPDATE SKIP LOCKED
                    """,
                    .int64(message),
                    .date(now),
                    .int64(Int64(max(events, 1)))
                )
                for row in rows {
                    let found = try Self.events(row)
                    guard batch.events.isEmpty || batch.count + found.ordinals.count <= events else { break }
                    batch.events.append(found)
                }
                guard !batch.events.isEmpty else { return nil }
                try connection.execute(
                    "UPDATE callbackEvent SET dueAt = $1 WHERE number = ANY($2)",
                    .date(deferral),
                    .int64s(batch.numbers)
                )
                return batch
            }
        }
    }

    /// Returns the callback of a message without events. Its row is locked, so that one node at a time takes its events.
    private static func batch(of message: Int64, in connection: PostgresConnection) throws -> CallbackBatch? {
        let rows = try connection.execute(
            "SELECT url, params, kinds, origin, app FROM callback WHERE message = $1 FOR UPDATE",
            .int64(message)
        )
        guard let row = rows.first else { return nil }
        let params = (try? JSONValue(parsing: row.text(1)))?.object
        let callback = PushCallback(
            url: row.text(0),
            params: params ?? [:],
            kinds: PushCallback.Kind(rawValue: row.int64(2))
        )
        let app = App.ID(truncatingIfNeeded: row.int64(4))
        return CallbackBatch(message: MessageID(row.int64(3)), app: app, callback: callback, events: [])
    }

    private static func events(_ row: PostgresRow) throws -> CallbackBatch.Events {
        CallbackBatch.Events(
            number: row.int64(0),
            kind: PushCallback.Kind(rawValue: row.int64(1)),
            part: try row.word(2, "part", of: "callbackEvent"),
            date: row.date(3),
            ordinals: OrdinalList(packed: row.bytes(4)).ordinals,
            attempts: row.int(5)
        )
    }

    package func nextCallbackDue() async throws -> Date? {
        try await readOnce { connection in
            try connection.execute("SELECT min(dueAt) FROM callbackEvent").first?.optionalInt64(0).map {
                Date(milliseconds: $0)
            }
        }
    }

    package func finishCallbacks(_ batch: CallbackBatch) async throws {
        try await write { try Self.remove(batch, countedAs: "delivered", in: $0.connection) }
    }

    package func failCallbacks(_ batch: CallbackBatch, _ problem: String, retry: Date?) async throws {
        try await write { session in
            let connection = session.connection
            let messages = PostgresValue.int64s(
                try connection.execute(
                    "SELECT DISTINCT message FROM callbackEvent WHERE number = ANY($1)",
                    .int64s(batch.numbers)
                ).map { $0.int64(0) }
            )
            try connection.execute(
                "UPDATE callback SET problem = $1 WHERE message = ANY($2)",
                .text(problem),
                messages
            )
            guard let retry else { return try Self.remove(batch, countedAs: "lost", in: connection) }
            // Its other events come along with the next attempt.
            try connection.execute(
                "UPDATE callbackEvent SET dueAt = $1 WHERE message = ANY($2) AND dueAt < $1",
                .date(retry),
                messages
            )
            try connection.execute(
                "UPDATE callbackEvent SET dueAt = $1, attempts = attempts + 1 WHERE number = ANY($2)",
                .date(retry),
                .int64s(batch.numbers)
            )
        }
    }

    /// Removes the events of a batch and adds their number to a column of their callback.
    private static func remove(
        _ batch: CallbackBatch,
        countedAs column: String,
        in connection: PostgresConnection
    ) throws {
        try connection.execute(
            """
            WITH removed AS (
                DELETE FROM callbackEvent USING unnest($1::bigint[], $2::bigint[]) AS done (number, count)
                WHERE callbackEvent.number = done.number RETURNING message, done.count
            )
            UPDATE callback SET \(column) = \(column) + removed.count
            FROM (SELECT message, sum(count)::bigint AS count FROM removed GROUP BY message) AS removed
            WHERE callback.message = removed.message
            """,
            .int64s(batch.numbers),
            .int64s(batch.events.map { Int64($0.ordinals.count) })
        )
    }

    package func callbackState(of message: MessageID) async throws -> CallbackState? {
        try await read { connection in
            let rows = try connection.execute(
                "SELECT url, delivered, lost, problem FROM callback WHERE origin = $1 ORDER BY message",
                .message(message)
            )
            guard let first = rows.first else { return nil }
            var state = CallbackState(url: first.text(0), delivered: 0, waiting: 0, lost: 0, problem: nil)
            for row in rows {
                state.delivered += row.int(1)
                state.lost += row.int(2)
                state.problem = row.optionalText(3) ?? state.problem
            }
            let waiting = try connection.execute(
                "SELECT ordinals FROM callbackEvent WHERE message IN (SELECT message FROM callback WHERE origin = $1)",
                .message(message)
            )
            state.waiting = waiting.reduce(0) { $0 + OrdinalList.count(packed: $1.bytes(0)) }
            return state
        }
    }

    package func waitingCallbacks() async throws -> Int {
        try await readOnce { Int(try CallbackNotes.waiting(in: $0)) }
    }
}

extension CallbackBatch {
    fileprivate var numbers: [Int64] { events.map(\.number) }
}
