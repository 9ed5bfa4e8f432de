package import Foundation
import PostgresClient
package import PushModel
package import PushService

// The events that wait for callback addresses. Whatever changes counted events locks their receiver first, several of them by number, and
// the count of the app last.
extension PostgresStore {
    package func countCallbacks(at now: Date, limit: Int, rows: Int) async throws -> CallbackCount {
        // Without new events nothing is written.
        let new = try await readOnce { connection in
            try connection.execute(
                "SELECT number, receiver FROM callbackEvent WHERE dueAt IS NULL ORDER BY number LIMIT $1",
                .int64(Int64(rows))
            ).map { (number: $0.int64(0), receiver: $0.int64(1)) }
        }
        guard !new.isEmpty else { return CallbackCount(hasMore: false) }
        let lost = try await write { session in
            try Self.count(
                new.map(\.number),
                of: Set(new.map(\.receiver)),
                at: now,
                limit: limit,
                in: session.connection
            )
        }
        return CallbackCount(hasMore: new.count == rows, lost: lost)
    }

    private static func count(
        _ numbers: [Int64],
        of receivers: Set<Int64>,
        at now: Date,
        limit: Int,
        in connection: PostgresConnection
    ) throws -> [App.ID: Int] {
        try connection.execute(
            "SELECT 1 FROM callbackReceiver WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
            .int64s(Array(receivers))
        )
        // Another node may have counted some of them meanwhile.
        let new = try connection.execute(
            """
            SELECT number, app FROM callbackEvent JOIN callbackReceiver ON id = receiver
            WHERE number = ANY($1) AND callbackEvent.dueAt IS NULL ORDER BY number
            """,
            .int64s(numbers)
        )
        var byApp: [Int64: [Int64]] = [:]
        for row in new { byApp[row.int64(1), default: []].append(row.int64(0)) }
        let apps = byApp.keys.sorted()
        try connection.execute(
            """
            INSERT INTO callbackCount (app, waiting) SELECT app, 0 FROM unnest($1::bigint[]) AS app ORDER BY app
            ON CONFLICT DO NOTHING
            """,
            .int64s(apps)
        )
        let waiting = try connection.execute(
            "SELECT app, waiting FROM callbackCount WHERE app = ANY($1) ORDER BY app FOR UPDATE",
            .int64s(apps)
        )
        var (counted, lost): ([Int64], [App.ID: Int]) = ([], [:])
        var counts: [Int64] = []
        for row in waiting {
            let (app, numbers) = (row.int64(0), byApp[row.int64(0)] ?? [])
            let room = max(0, limit - row.int(1))
            let excess = Array(numbers.dropFirst(room))
            if !excess.isEmpty {
                lost[App.ID(truncatingIfNeeded: app)] = try giveUp(excess, CallbackCount.problem, in: connection)
            }
            counted += numbers.prefix(room)
            counts.append(Int64(min(room, numbers.count)))
        }
        try connection.execute(
            """
            UPDATE callbackCount SET waiting = waiting + new.count FROM unnest($1::bigint[], $2::bigint[]) AS new (app, count)
            WHERE callbackCount.app = new.app
            """,
            .int64s(waiting.map { $0.int64(0) }),
            .int64s(counts)
        )
        try setDue(counted, now, in: connection)
        return lost
    }

    /// Makes events and their receivers due.
    private static func setDue(_ numbers: [Int64], _ now: Date, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE callbackEvent SET dueAt = $1, failedBefore = failed FROM callbackReceiver
            WHERE id = receiver AND number = ANY($2)
            """,
            .date(now),
            .int64s(numbers)
        )
        try connection.execute(
            """
            UPDATE callbackReceiver SET dueAt = $1 WHERE dueAt IS NULL
            AND id IN (SELECT receiver FROM callbackEvent WHERE number = ANY($2))
            """,
            .date(now),
            .int64s(numbers)
        )
    }

    package func takeCallbacks(
        at now: Date,
        _ limits: CallbackLimits,
        until lease: Date
    ) async throws -> [CallbackLot] {
        let due = try await readOnce { try Self.due(at: now, limits, in: $0) }
        let chosen = limits.chosen(due)
        guard !chosen.isEmpty else { return [] }
        return try await write { session in
            let connection = session.connection
            // Another node takes those that are locked, or has taken them.
            let taken = try connection.execute(
                """
                SELECT id, app, failures, failed FROM callbackReceiver WHERE id = ANY($1) AND dueAt <= $2
                FOR NO KEY UPDATE SKIP LOCKED
                """,
                .int64s(chosen),
                .date(now)
            )
            try connection.execute(
                "UPDATE callbackReceiver SET dueAt = $1 WHERE id = ANY($2)",
                .date(lease),
                .int64s(taken.map { $0.int64(0) })
            )
            return try taken.map { row in
                var lot = CallbackLot(
                    receiver: row.int64(0),
                    app: App.ID(truncatingIfNeeded: row.int64(1)),
                    failures: row.int(2),
                    lease: lease
                )
                try Self.fill(&lot, failed: row.int(3), at: now, limits, in: connection)
                return lot
            }
        }
    }

    /// The apps for which events wait: one step in the index for each.
    private static let apps = """
        WITH RECURSIVE step AS (
            SELECT min(app) AS app FROM callbackReceiver WHERE dueAt IS NOT NULL
            UNION ALL
            SELECT (SELECT min(app) FROM callbackReceiver WHERE dueAt IS NOT NULL AND app > step.app) FROM step
            WHERE step.app IS NOT NULL
        ), apps AS (SELECT app FROM step WHERE app IS NOT NULL)
        """

    /// Returns the receivers that are due, by app.
    private static func due(
        at now: Date,
        _ limits: CallbackLimits,
        in connection: PostgresConnection
    ) throws -> [[Int64]] {
        let rows = try connection.execute(
            """
            \(apps)
            SELECT apps.app, receiver.id FROM apps CROSS JOIN LATERAL (
                SELECT id, dueAt FROM callbackReceiver WHERE app = apps.app AND dueAt <= $1 ORDER BY dueAt LIMIT $2
            ) AS receiver ORDER BY apps.app, receiver.dueAt
            """,
            .date(now),
            .int64(Int64(limits.ofApp))
        )
        var found: [(app: Int64, receivers: [Int64])] = []
        for row in rows {
            if found.last?.app != row.int64(0) { found.append((row.int64(0), [])) }
            found[found.count - 1].receivers.append(row.int64(1))
        }
        return found.map { Array($0.receivers.prefix(limits.rest(of: App.ID(truncatingIfNeeded: $0.app)))) }
    }

    /// Adds the due events of the receiver, which is locked.
    private static func fill(
        _ lot: inout CallbackLot,
        failed: Int,
        at now: Date,
        _ limits: CallbackLimits,
        in connection: PostgresConnection
    ) throws {
        let rows = try connection.execute(
            """
            SELECT number, kind, part, at, ordinals, $4 - failedBefore, message FROM callbackEvent
            WHERE receiver = $1 AND dueAt <= $2 ORDER BY dueAt, number LIMIT $3
            """,
            .int64(lot.receiver),
            .date(now),
            .int64(Int64(limits.rows)),
            .int64(Int64(failed))
        )
        let callbacks = try connection.execute(
            "SELECT message, url, params, kinds, origin FROM callback WHERE message = ANY($1)",
            .int64s(Array(Set(rows.map { $0.int64(6) })))
        )
        let batches = Dictionary(callbacks.map { ($0.int64(0), batch($0)) }) { $1 }
        for row in rows {
            let message = row.int64(6)
            try lot.add({ try events(row) }, number: row.int64(0), of: message, limit: limits.events) {
                batches[message]
            }
        }
    }

    private static func batch(_ row: PostgresRow) -> CallbackBatch {
        let params = (try? JSONValue(parsing: row.text(2)))?.object
        let callback = PushCallback(
            url: row.text(1),
            params: params ?? [:],
            kinds: PushCallback.Kind(rawValue: row.int64(3))
        )
        return CallbackBatch(message: MessageID(row.int64(4)), callback: callback, row: row.int64(0))
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

    package func nextCallbackDue(besides apps: Set<App.ID>) async throws -> Date? {
        try await readOnce { connection in
            try connection.execute(
                """
                \(Self.apps)
                SELECT min((SELECT min(dueAt) FROM callbackReceiver WHERE app = apps.app AND dueAt IS NOT NULL))
                FROM apps WHERE app <> ALL($1)
                """,
                .int64s(apps.map { Int64($0) })
            ).first?.optionalInt64(0).map { Date(milliseconds: $0) }
        }
    }

    package func endCallbacks(
        _ lot: CallbackLot,
        _ outcome: CallbackOutcome,
        at now: Date,
        limit: Int
    ) async throws -> Int {
        try await write { session in
            let connection = session.connection
            try connection.execute(
                "SELECT 1 FROM callbackReceiver WHERE id = $1 FOR NO KEY UPDATE",
                .int64(lot.receiver)
            )
            var rows = try Self.remove(
                outcome.delivered.flatMap(\.numbers),
                countedAs: "delivered",
                in: connection
            ).rows
            for (batch, problem) in outcome.refused {
                rows += try Self.remove(batch.numbers, countedAs: "lost", problem, in: connection).rows
            }
            var lost = 0
            for failure in outcome.failed {
                try Self.fail(failure, isAlone: !outcome.isDown, in: connection)
                let over = failure.batch.events.filter { $0.attempts + 1 >= limit }.map(\.number)
                guard !over.isEmpty, !outcome.isDown else { continue }
                let removed = try Self.remove(over, countedAs: "lost", failure.problem, in: connection)
                rows += removed.rows
                lost += removed.devices
            }
            rows += try Self.remove(lot.unreadable, countedAs: "lost", CallbackCount.damage, in: connection).rows
            try Self.end(lot, outcome, at: now, in: connection)
            try Self.discount(rows, of: lot.app, in: connection)
            return lost
        }
    }

    private static func discount(_ rows: Int, of app: App.ID, in connection: PostgresConnection) throws {
        guard rows > 0 else { return }
        try connection.execute(
            "UPDATE callbackCount SET waiting = waiting - $1 WHERE app = $2",
            .int64(Int64(rows)),
            .app(app)
        )
    }

    /// Defers the events of a failed delivery.
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - isAlone: whether it counts for these events alone: their receiver has taken others.
    ///   - connection: the transaction.
    /// - Throws: an error of the server.
    private static func fail(
        _ failure: CallbackOutcome.Failure,
        isAlone: Bool,
        in connection: PostgresConnection
    ) throws {
        try connection.execute(
            "UPDATE callbackEvent SET dueAt = $1, failedBefore = failedBefore - $2 WHERE number = ANY($3)",
            .date(failure.retry),
            .int64(isAlone ? 1 : 0),
            .int64s(failure.batch.numbers)
        )
        try connection.execute(
            "UPDATE callback SET problem = $1 WHERE message = $2",
            .text(failure.problem),
            .int64(failure.batch.row)
        )
    }

    /// Gives the receiver of a lot back: it is due when its next events are, or paused.
    private static func end(
        _ lot: CallbackLot,
        _ outcome: CallbackOutcome,
        at now: Date,
        in connection: PostgresConnection
    ) throws {
        if outcome.isDown, let failure = outcome.failed.first {
            try connection.execute(
                """
                UPDATE callbackReceiver SET failures = failures + 1, failed = failed + 1, problem = $1, dueAt = $2
                WHERE id = $3 AND dueAt = $4
                """,
                .text(failure.problem),
                .date(failure.retry),
                .int64(lot.receiver),
                .date(lot.lease)
            )
            return
        }
        if !outcome.delivered.isEmpty {
            try connection.execute(
                "UPDATE callbackReceiver SET failures = 0, problem = NULL WHERE id = $1 AND failures > 0",
                .int64(lot.receiver)
            )
        }
        try connection.execute(
            """
            UPDATE callbackReceiver SET dueAt = (
                SELECT greatest($3, min(dueAt)) FROM callbackEvent WHERE receiver = $1 AND dueAt IS NOT NULL
                HAVING count(dueAt) > 0
            ) WHERE id = $1 AND dueAt = $2
            """,
            .int64(lot.receiver),
            .date(lot.lease),
            .date(now)
        )
        try startAnew(lot.receiver, in: connection)
    }

    /// Ends the failures of a receiver for which nothing waits.
    private static func startAnew(_ receiver: Int64, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE callbackReceiver SET failures = 0, problem = NULL, dueAt = NULL WHERE id = $1
            AND NOT EXISTS (SELECT 1 FROM callbackEvent WHERE receiver = $1 AND dueAt IS NOT NULL)
            """,
            .int64(receiver)
        )
    }

    package func giveUpCallbacks(of receiver: Int64, limit: Int, rows: Int) async throws -> Int? {
        try await write { session in
            let connection = session.connection
            let known = try connection.execute(
                "SELECT app, failed, problem FROM callbackReceiver WHERE id = $1 FOR NO KEY UPDATE",
                .int64(receiver)
            )
            guard let known = known.first else { return nil }
            let over = try connection.execute(
                """
                SELECT number FROM callbackEvent WHERE receiver = $1 AND dueAt IS NOT NULL AND failedBefore <= $2 LIMIT $3
                """,
                .int64(receiver),
                .int64(known.int64(1) - Int64(limit)),
                .int64(Int64(rows))
            ).map { $0.int64(0) }
            guard !over.isEmpty else { return nil }
            let removed = try Self.remove(over, countedAs: "lost", known.optionalText(2), in: connection)
            try Self.startAnew(receiver, in: connection)
            try Self.discount(removed.rows, of: App.ID(truncatingIfNeeded: known.int64(0)), in: connection)
            return removed.devices
        }
    }

    /// Removes rows of events that are not counted yet, and counts their devices as lost.
    private static func giveUp(_ numbers: [Int64], _ problem: String, in connection: PostgresConnection) throws -> Int {
        try remove(numbers, countedAs: "lost", problem, in: connection).devices
    }

    /// Removes rows of events and adds their devices to a column of their callback.
    ///
    /// - Parameters:
    ///   - numbers: the rows.
    ///   - column: the column.
    ///   - problem: the problem of the callback; nil to keep the last one.
    ///   - connection: the transaction.
    /// - Returns: the number of rows, and of devices' events.
    /// - Throws: an error of the server.
    private static func remove(
        _ numbers: [Int64],
        countedAs column: String,
        _ problem: String? = nil,
        in connection: PostgresConnection
    ) throws -> (rows: Int, devices: Int) {
        guard !numbers.isEmpty else { return (0, 0) }
        let rows = try connection.execute(
            "DELETE FROM callbackEvent WHERE number = ANY($1) RETURNING message, ordinals",
            .int64s(numbers)
        )
        var counts: [Int64: Int] = [:]
        for row in rows { counts[row.int64(0), default: 0] += OrdinalList.count(packed: row.bytes(1)) }
        let messages = counts.keys.sorted()
        try connection.execute(
            """
            UPDATE callback SET \(column) = \(column) + removed.count, problem = coalesce($3, problem)
            FROM unnest($1::bigint[], $2::bigint[]) AS removed (message, count) WHERE callback.message = removed.message
            """,
            .int64s(messages),
            .int64s(messages.map { Int64(counts[$0] ?? 0) }),
            .text(problem)
        )
        return (rows.count, counts.values.reduce(0, +))
    }

    /// Removes the events of a message that is deleted; its receiver is locked.
    static func deleteCallbackEvents(of message: MessageID, in connection: PostgresConnection) throws {
        let counted = try connection.execute(
            "DELETE FROM callbackEvent WHERE message = $1 RETURNING dueAt IS NOT NULL",
            .message(message)
        ).count { $0.bool(0) }
        guard counted > 0 else { return }
        let app = try connection.execute("SELECT app FROM callback WHERE message = $1", .message(message)).first
        guard let app else { return }
        try discount(counted, of: App.ID(truncatingIfNeeded: app.int64(0)), in: connection)
    }

    package func callbackState(of message: MessageID) async throws -> CallbackState? {
        try await read { connection in
            let rows = try connection.execute(
                """
                SELECT message, url, delivered, lost, callback.problem, callbackReceiver.problem FROM callback
                LEFT JOIN callbackReceiver ON id = receiver WHERE origin = $1 ORDER BY message
                """,
                .message(message)
            )
            guard let first = rows.first else { return nil }
            var state = CallbackState(url: first.text(1), delivered: 0, waiting: 0, lost: 0, problem: nil)
            for row in rows {
                state.delivered += row.int(2)
                state.lost += row.int(3)
                let waiting = try connection.execute(
                    "SELECT ordinals FROM callbackEvent WHERE message = $1",
                    .int64(row.int64(0))
                )
                state.waiting += waiting.reduce(0) { $0 + OrdinalList.count(packed: $1.bytes(0)) }
                // What waits has the problem of its receiver.
                state.problem = (waiting.isEmpty ? nil : row.optionalText(5)) ?? row.optionalText(4) ?? state.problem
            }
            return state
        }
    }

    package func waitingCallbacks() async throws -> [App.ID: Int] {
        try await readOnce { connection in
            let rows = try connection.execute(
                """
                SELECT app, waiting FROM callbackCount WHERE waiting > 0
                UNION ALL
                SELECT app, count(*) FROM callbackEvent JOIN callbackReceiver ON id = receiver
                WHERE callbackEvent.dueAt IS NULL GROUP BY app
                """
            )
            return rows.reduce(into: [:]) { $0[App.ID(truncatingIfNeeded: $1.int64(0)), default: 0] += $1.int(1) }
        }
    }
}
