package import Foundation
import PostgresClient
package import PushModel
package import PushService

// The events that wait for callback addresses.
extension PostgresStore {
    package func takeCallbacks(
        at now: Date,
        _ limits: CallbackLimits,
        deferral: Date
    ) async throws -> [CallbackBatch] {
        // Without due events nothing is written.
        guard limits.pushes > 0, let next = try await nextCallbackDue(besides: limits.busy), next <= now else {
            return []
        }
        return try await write { session in
            let connection = session.connection
            return try Self.turns(at: now, limits, in: connection).compactMap { turn in
                try Self.take(turn, at: now, events: limits.events, deferral: deferral, in: connection)
            }
        }
    }

    /// A push whose events are next.
    private struct Turn {
        var receiver: Int64
        var failures: Int
        var message: Int64
    }

    /// Returns the pushes that are next: one of each receiver, then a second of each, and so on.
    private static func turns(
        at now: Date,
        _ limits: CallbackLimits,
        in connection: PostgresConnection
    ) throws -> [Turn] {
        let receivers = try connection.execute(
            """
            SELECT id, failures FROM callbackReceiver AS receiver WHERE pausedUntil <= $1
            AND EXISTS (SELECT 1 FROM callbackEvent AS event WHERE event.receiver = receiver.id AND event.dueAt <= $1)
            ORDER BY servedAt, id
            """,
            .date(now)
        )
        var queues: [[Turn]] = []
        for row in receivers {
            let (receiver, failures) = (row.int64(0), row.int(1))
            let messages = try connection.execute(
                """
                SELECT message FROM callbackEvent WHERE receiver = $1 AND dueAt <= $2
                GROUP BY message ORDER BY min(dueAt), message LIMIT $3
                """,
                .int64(receiver),
                .date(now),
                .int64(Int64(min(limits.rest(of: receiver, failures: failures), limits.pushes)))
            )
            if !messages.isEmpty {
                queues.append(
                    messages.map { Turn(receiver: receiver, failures: failures, message: $0.int64(0)) }
                )
            }
        }
        let rounds = (0..<limits.share).flatMap { round in queues.compactMap { $0.dropFirst(round).first } }
        return Array(rounds.prefix(limits.pushes))
    }

    /// Takes the due events of a push and defers them.
    ///
    /// - Returns: nil if there are none any more: another node has taken them, or the push is deleted.
    private static func take(
        _ turn: Turn,
        at now: Date,
        events: Int,
        deferral: Date,
        in connection: PostgresConnection
    ) throws -> CallbackBatch? {
        guard var batch = try batch(of: turn.message, in: connection) else {
            try connection.execute("DELETE FROM callbackEvent WHERE message = $1", .int64(turn.message))
            return nil
        }
        (batch.receiver, batch.failures) = (turn.receiver, turn.failures)
        // Another node takes those that are locked.
        let rows = try connection.execute(
            """
            SELECT number, kind, part, at, ordinals, attempts FROM callbackEvent WHERE message = $1 AND dueAt <= $2
            ORDER BY number LIMIT $3 FOR UPDATE SKIP LOCKED
            """,
            .int64(turn.message),
            .date(now),
            .int64(Int64(max(events, 1)))
        )
        for row in rows {
            let found = try Self.events(row)
            guard batch.events.isEmpty || batch.count + found.ordinals.count <= events else { break }
            batch.events.append(found)
        }
        guard !batch.events.isEmpty else { return nil }
        try setDue(batch.numbers, deferral, in: connection)
        try connection.execute(
            "UPDATE callbackReceiver SET servedAt = $1 WHERE id = $2",
            .date(now),
            .int64(turn.receiver)
        )
        return batch
    }

    private static func setDue(_ numbers: [Int64], _ date: Date, in connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE callbackEvent SET dueAt = $1 WHERE number = ANY($2)",
            .date(date),
            .int64s(numbers)
        )
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

    package func nextCallbackDue(besides numbers: Set<Int64>) async throws -> Date? {
        try await readOnce { connection in
            try connection.execute(
                """
                SELECT min(greatest(pausedUntil, due)) FROM (
                    SELECT pausedUntil,
                        (SELECT min(dueAt) FROM callbackEvent AS event WHERE event.receiver = receiver.id) AS due
                    FROM callbackReceiver AS receiver WHERE id <> ALL($1)
                ) AS receiver WHERE due IS NOT NULL
                """,
                .int64s(Array(numbers))
            ).first?.optionalInt64(0).map { Date(milliseconds: $0) }
        }
    }

    package func finishCallbacks(_ batch: CallbackBatch) async throws {
        try await write { session -> Void in
            try Self.remove(batch.numbers, countedAs: "delivered", in: session.connection)
            try Self.resume(batch.receiver, in: session.connection)
        }
    }

    /// Ends the pause of a receiver.
    private static func resume(_ receiver: Int64, in connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE callbackReceiver SET failures = 0, pausedUntil = 0 WHERE id = $1 AND failures > 0",
            .int64(receiver)
        )
    }

    package func dropCallbacks(_ batch: CallbackBatch, _ problem: String) async throws {
        try await write { session -> Void in
            try session.connection.execute(
                """
                UPDATE callback SET problem = $1
                WHERE message IN (SELECT message FROM callbackEvent WHERE number = ANY($2))
                """,
                .text(problem),
                .int64s(batch.numbers)
            )
            try Self.remove(batch.numbers, countedAs: "lost", in: session.connection)
        }
    }

    package func failCallbacks(
        _ batch: CallbackBatch,
        _ problem: String,
        at now: Date,
        retry: Date,
        limit: Int
    ) async throws -> Int {
        try await write { session in
            let connection = session.connection
            try Self.setDue(batch.numbers, now, in: connection)
            // Of deliveries that fail side by side the first counts for the receiver, and for all that waits for it.
            let isFirst =
                try connection.execute(
                    "UPDATE callbackReceiver SET failures = $1, pausedUntil = $2 WHERE id = $3 AND failures < $1",
                    .int64(Int64(batch.failures + 1)),
                    .date(retry),
                    .int64(batch.receiver)
                ).affected > 0
            try connection.execute(
                """
                UPDATE callbackEvent SET attempts = attempts + 1
                WHERE CASE WHEN $1 THEN receiver = $2 AND dueAt <= $3 ELSE number = ANY($4) END
                """,
                .bool(isFirst),
                .int64(batch.receiver),
                .date(now),
                .int64s(batch.numbers)
            )
            let due: [PostgresValue] = [.int64(batch.receiver), .date(now)]
            try connection.execute(
                """
                UPDATE callback SET problem = $3
                WHERE message IN (SELECT message FROM callbackEvent WHERE receiver = $1 AND dueAt <= $2)
                """,
                due + [.text(problem)]
            )
            let over = try connection.execute(
                "SELECT number FROM callbackEvent WHERE receiver = $1 AND dueAt <= $2 AND attempts >= $3",
                due + [.int64(Int64(limit))]
            ).map { $0.int64(0) }
            let lost = try Self.remove(over, countedAs: "lost", in: connection)
            let waits = try connection.execute(
                "SELECT EXISTS (SELECT 1 FROM callbackEvent WHERE receiver = $1)",
                .int64(batch.receiver)
            )
            if waits.first?.bool(0) != true { try Self.resume(batch.receiver, in: connection) }
            return lost
        }
    }

    /// Removes rows of events and adds their devices to a column of their callback.
    ///
    /// - Returns: the number of devices' events.
    @discardableResult
    private static func remove(
        _ numbers: [Int64],
        countedAs column: String,
        in connection: PostgresConnection
    ) throws -> Int {
        let rows = try connection.execute(
            "DELETE FROM callbackEvent WHERE number = ANY($1) RETURNING message, ordinals",
            .int64s(numbers)
        )
        var counts: [Int64: Int] = [:]
        for row in rows { counts[row.int64(0), default: 0] += OrdinalList.count(packed: row.bytes(1)) }
        let messages = counts.keys.sorted()
        try connection.execute(
            """
            UPDATE callback SET \(column) = \(column) + removed.count
            FROM unnest($1::bigint[], $2::bigint[]) AS removed (message, count) WHERE callback.message = removed.message
            """,
            .int64s(messages),
            .int64s(messages.map { Int64(counts[$0] ?? 0) })
        )
        return counts.values.reduce(0, +)
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
