package import Foundation
import GRDB
package import PushModel
package import PushService

// The events that wait for callback addresses.
extension SQLiteStore {
    package func countCallbacks(at now: Date, limit: Int, rows: Int) async throws -> CallbackCount {
        // Without new events nothing is written.
        let hasNew = try await read { database in
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM callbackEvent WHERE dueAt IS NULL)") ?? false
        }
        guard hasNew else { return CallbackCount(hasMore: false) }
        return try await writes.write { try Self.count(at: now, limit: limit, rows: rows, in: $0) }
    }

    private static func count(at now: Date, limit: Int, rows: Int, in database: Database) throws -> CallbackCount {
        let new = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number, app FROM (
                        SELECT number, receiver FROM callbackEvent WHERE dueAt IS NULL ORDER BY number LIMIT ?
                    ) JOIN callbackReceiver ON id = receiver ORDER BY number
                    """
            ),
            arguments: [rows]
        )
        var (numbers, lost): ([App.ID: [Int64]], [App.ID: Int]) = ([:], [:])
        for row in new { numbers[row["app"], default: []].append(row["number"]) }
        for (app, numbers) in numbers {
            let statement = try database.cachedStatement(sql: "SELECT waiting FROM callbackCount WHERE app = ?")
            let room = max(0, limit - (try Int.fetchOne(statement, arguments: [app]) ?? 0))
            let (counted, excess) = (min(numbers.count, room), Array(numbers.dropFirst(room)))
            if !excess.isEmpty { lost[app] = try giveUp(excess, CallbackCount.problem, in: database) }
            try database.cachedStatement(
                sql: """
                    INSERT INTO callbackCount (app, waiting) VALUES (?1, ?2)
                    ON CONFLICT (app) DO UPDATE SET waiting = waiting + ?2
                    """
            ).execute(arguments: [app, counted])
        }
        let last: Int64? = new.last?["number"]
        try database.cachedStatement(
            sql: """
                UPDATE callbackReceiver SET dueAt = ?1 WHERE dueAt IS NULL
                AND id IN (SELECT receiver FROM callbackEvent WHERE dueAt IS NULL AND number <= ?2)
                """
        ).execute(arguments: [now.milliseconds, last])
        try database.cachedStatement(
            sql: """
                UPDATE callbackEvent SET dueAt = ?1,
                    failedBefore = (SELECT failed FROM callbackReceiver WHERE id = receiver)
                WHERE dueAt IS NULL AND number <= ?2
                """
        ).execute(arguments: [now.milliseconds, last])
        return CallbackCount(hasMore: new.count == rows, lost: lost)
    }

    package func takeCallbacks(
        at now: Date,
        _ limits: CallbackLimits,
        until lease: Date
    ) async throws -> [CallbackLot] {
        // Found and read beside other writes.
        let chosen = try await read { limits.chosen(try Self.due(at: now, limits, in: $0)) }
        guard !chosen.isEmpty else { return [] }
        let taken = try await writes.write { database in
            let statement = try database.cachedStatement(
                sql: "UPDATE callbackReceiver SET dueAt = ? WHERE id = ? AND dueAt <= ?"
            )
            return try chosen.filter { id in
                try statement.execute(arguments: [lease.milliseconds, id, now.milliseconds])
                return database.changesCount > 0
            }
        }
        return try await read { database in
            try taken.compactMap { try Self.lot(of: $0, at: now, limits, until: lease, in: database) }
        }
    }

    /// Returns the receivers that are due, by app.
    private static func due(at now: Date, _ limits: CallbackLimits, in database: Database) throws -> [[Int64]] {
        let receivers = try database.cachedStatement(
            sql: "SELECT id FROM callbackReceiver WHERE app = ? AND dueAt <= ? ORDER BY dueAt LIMIT ?"
        )
        return try appsWithCallbacks(in: database).compactMap { app in
            let rest = limits.rest(of: app)
            guard rest > 0 else { return nil }
            return try Int64.fetchAll(receivers, arguments: [app, now.milliseconds, rest])
        }
    }

    /// Returns the apps for which events wait: one step in the index for each.
    private static func appsWithCallbacks(in database: Database) throws -> [App.ID] {
        try App.ID.fetchAll(
            database.cachedStatement(
                sql: """
                    WITH RECURSIVE apps AS (
                        SELECT min(app) AS app FROM callbackReceiver WHERE dueAt IS NOT NULL
                        UNION ALL
                        SELECT (SELECT min(app) FROM callbackReceiver WHERE dueAt IS NOT NULL AND app > apps.app) FROM apps
                        WHERE apps.app IS NOT NULL
                    ) SELECT app FROM apps WHERE app IS NOT NULL
                    """
            )
        )
    }

    private static func lot(
        of receiver: Int64,
        at now: Date,
        _ limits: CallbackLimits,
        until lease: Date,
        in database: Database
    ) throws -> CallbackLot? {
        let known = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT app, failures, failed FROM callbackReceiver WHERE id = ?"),
            arguments: [receiver]
        )
        guard let known else { return nil }
        var lot = CallbackLot(receiver: receiver, app: known["app"], failures: known["failures"], lease: lease)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT * FROM callbackEvent WHERE receiver = ? AND dueAt <= ? ORDER BY dueAt, number LIMIT ?
                    """
            ),
            arguments: [receiver, now.milliseconds, limits.rows]
        )
        while let row = try rows.next() {
            let message: Int64 = row["message"]
            try lot.add(
                { try events(row, failed: known["failed"]) },
                number: row["number"],
                of: message,
                limit: limits.events
            ) { try batch(of: message, in: database) }
        }
        return lot
    }

    private static func batch(of message: Int64, in database: Database) throws -> CallbackBatch? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM callback WHERE message = ?")
        guard let row = try Row.fetchOne(statement, arguments: [message]) else { return nil }
        let params = (try? JSONValue(parsing: Array((row["params"] as String).utf8)))?.object
        let callback = PushCallback(
            url: row["url"],
            params: params ?? [:],
            kinds: PushCallback.Kind(rawValue: row["kinds"])
        )
        return CallbackBatch(message: MessageID(row["origin"]), callback: callback, row: message)
    }

    private static func events(_ row: Row, failed: Int) throws -> CallbackBatch.Events {
        CallbackBatch.Events(
            number: row["number"],
            kind: PushCallback.Kind(rawValue: row["kind"]),
            part: try word(row, "part", of: "callbackEvent"),
            date: Date(milliseconds: row["at"]),
            ordinals: OrdinalList(packed: row["ordinals"] as Data).ordinals,
            attempts: failed - (row["failedBefore"] as Int)
        )
    }

    package func nextCallbackDue(besides apps: Set<App.ID>) async throws -> Date? {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT min(dueAt) FROM callbackReceiver WHERE app = ? AND dueAt IS NOT NULL"
            )
            let due = try Self.appsWithCallbacks(in: database).filter { !apps.contains($0) }
                .compactMap { try Int64.fetchOne(statement, arguments: [$0]) }
            return due.min().map { Date(milliseconds: $0) }
        }
    }

    package func endCallbacks(
        _ lot: CallbackLot,
        _ outcome: CallbackOutcome,
        at now: Date,
        limit: Int
    ) async throws -> Int {
        try await writes.write { database in
            let rows = try outcome.delivered.reduce(0) { try $0 + Self.deliver($1, in: database) }
            try Self.discount(rows, of: lot.app, in: database)
            var lost = 0
            for (batch, problem) in outcome.refused {
                _ = try Self.giveUp(batch.numbers, problem, of: lot.app, in: database)
            }
            for failure in outcome.failed {
                try Self.fail(failure, isAlone: !outcome.isDown, in: database)
                let over = failure.batch.events.filter { $0.attempts + 1 >= limit }.map(\.number)
                if !over.isEmpty, !outcome.isDown {
                    lost += try Self.giveUp(over, failure.problem, of: lot.app, in: database)
                }
            }
            if !lot.unreadable.isEmpty {
                _ = try Self.giveUp(lot.unreadable, CallbackCount.damage, of: lot.app, in: database)
            }
            try Self.end(lot, outcome, at: now, in: database)
            return lost
        }
    }

    /// Removes events that their address has taken.
    ///
    /// - Returns: the number of rows.
    private static func deliver(_ batch: CallbackBatch, in database: Database) throws -> Int {
        var (rows, devices) = (0, 0)
        let statement = try database.cachedStatement(sql: "DELETE FROM callbackEvent WHERE number = ?")
        for events in batch.events {
            try statement.execute(arguments: [events.number])
            guard database.changesCount > 0 else { continue }
            rows += 1
            devices += events.ordinals.count
        }
        try database.cachedStatement(sql: "UPDATE callback SET delivered = delivered + ? WHERE message = ?")
            .execute(arguments: [devices, batch.row])
        return rows
    }

    private static func discount(_ rows: Int, of app: App.ID, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE callbackCount SET waiting = waiting - ? WHERE app = ?")
            .execute(arguments: [rows, app])
    }

    /// Defers the events of a failed delivery.
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - isAlone: whether it counts for these events alone: their receiver has taken others.
    ///   - database: the transaction.
    /// - Throws: an error of the database.
    private static func fail(_ failure: CallbackOutcome.Failure, isAlone: Bool, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE callbackEvent SET dueAt = ?, failedBefore = failedBefore - ? WHERE number = ?"
        )
        for number in failure.batch.numbers {
            try statement.execute(arguments: [failure.retry.milliseconds, isAlone ? 1 : 0, number])
        }
        try database.cachedStatement(sql: "UPDATE callback SET problem = ? WHERE message = ?")
            .execute(arguments: [failure.problem, failure.batch.row])
    }

    /// Gives the receiver of a lot back: it is due when its next events are, or paused.
    private static func end(
        _ lot: CallbackLot,
        _ outcome: CallbackOutcome,
        at now: Date,
        in database: Database
    ) throws {
        if outcome.isDown, let failure = outcome.failed.first {
            try database.cachedStatement(
                sql: """
                    UPDATE callbackReceiver SET failures = failures + 1, failed = failed + 1, problem = ?, dueAt = ?
                    WHERE id = ? AND dueAt = ?
                    """
            ).execute(arguments: [
                failure.problem, failure.retry.milliseconds, lot.receiver, lot.lease.milliseconds,
            ])
            return
        }
        if !outcome.delivered.isEmpty {
            try database.cachedStatement(
                sql: "UPDATE callbackReceiver SET failures = 0, problem = NULL WHERE id = ? AND failures > 0"
            ).execute(arguments: [lot.receiver])
        }
        try database.cachedStatement(
            sql: """
                UPDATE callbackReceiver SET dueAt = max(?3, (
                    SELECT min(dueAt) FROM callbackEvent WHERE receiver = ?1 AND dueAt IS NOT NULL
                )) WHERE id = ?1 AND dueAt = ?2
                """
        ).execute(arguments: [lot.receiver, lot.lease.milliseconds, now.milliseconds])
        try startAnew(lot.receiver, in: database)
    }

    /// Ends the failures of a receiver for which nothing waits.
    private static func startAnew(_ receiver: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE callbackReceiver SET failures = 0, problem = NULL, dueAt = NULL WHERE id = ?1
                AND NOT EXISTS (SELECT 1 FROM callbackEvent WHERE receiver = ?1 AND dueAt IS NOT NULL)
                """
        ).execute(arguments: [receiver])
    }

    package func giveUpCallbacks(of receiver: Int64, limit: Int, rows: Int) async throws -> Int? {
        try await writes.write { database in
            let known = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT app, failed, problem FROM callbackReceiver WHERE id = ?"),
                arguments: [receiver]
            )
            guard let known else { return nil }
            let over = try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT number FROM callbackEvent WHERE receiver = ? AND dueAt IS NOT NULL AND failedBefore <= ?
                        LIMIT ?
                        """
                ),
                arguments: [receiver, (known["failed"] as Int) - limit, rows]
            )
            guard !over.isEmpty else { return nil }
            let lost = try Self.giveUp(over, known["problem"] ?? "", of: known["app"], in: database)
            try Self.startAnew(receiver, in: database)
            return lost
        }
    }

    /// Removes rows of events and counts their devices as lost.
    ///
    /// - Parameters:
    ///   - numbers: the rows.
    ///   - problem: the reason.
    ///   - app: the app by which they are counted; nil for rows that are not counted yet.
    ///   - database: the transaction.
    /// - Returns: the number of devices' events.
    /// - Throws: an error of the database.
    private static func giveUp(
        _ numbers: [Int64],
        _ problem: String,
        of app: App.ID? = nil,
        in database: Database
    ) throws -> Int {
        var (rows, counts): (Int, [Int64: Int]) = (0, [:])
        let statement = try database.cachedStatement(
            sql: "DELETE FROM callbackEvent WHERE number = ? RETURNING message, ordinals"
        )
        for number in numbers {
            guard let row = try Row.fetchOne(statement, arguments: [number]) else { continue }
            rows += 1
            counts[row["message"], default: 0] += OrdinalList.count(packed: row["ordinals"] as Data)
        }
        for (message, count) in counts {
            try database.cachedStatement(sql: "UPDATE callback SET lost = lost + ?, problem = ? WHERE message = ?")
                .execute(arguments: [count, problem, message])
        }
        if let app { try discount(rows, of: app, in: database) }
        return counts.values.reduce(0, +)
    }

    /// Removes the events of a message that is deleted.
    static func deleteCallbackEvents(of message: MessageID, in database: Database) throws {
        let rows = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*) FROM callbackEvent WHERE message = ? AND dueAt IS NOT NULL"
            ),
            arguments: [message.number]
        )
        try database.cachedStatement(sql: "DELETE FROM callbackEvent WHERE message = ?")
            .execute(arguments: [message.number])
        guard let rows, rows > 0 else { return }
        let statement = try database.cachedStatement(sql: "SELECT app FROM callback WHERE message = ?")
        guard let app = try App.ID.fetchOne(statement, arguments: [message.number]) else { return }
        try discount(rows, of: app, in: database)
    }

    package func callbackState(of message: MessageID) async throws -> CallbackState? {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT callback.*, callbackReceiver.problem AS now FROM callback
                    LEFT JOIN callbackReceiver ON id = receiver WHERE origin = ? ORDER BY message
                    """,
                arguments: [message.number]
            )
            guard let first = rows.first else { return nil }
            var state = CallbackState(url: first["url"], delivered: 0, waiting: 0, lost: 0, problem: nil)
            for row in rows {
                state.delivered += row["delivered"]
                state.lost += row["lost"]
                let waiting = try Data.fetchAll(
                    database,
                    sql: "SELECT ordinals FROM callbackEvent WHERE message = ?",
                    arguments: [row["message"] as Int64]
                )
                state.waiting += waiting.reduce(0) { $0 + OrdinalList.count(packed: $1) }
                // What waits has the problem of its receiver.
                state.problem = (waiting.isEmpty ? nil : row["now"]) ?? row["problem"] ?? state.problem
            }
            return state
        }
    }

    package func waitingCallbacks() async throws -> [App.ID: Int] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT app, waiting FROM callbackCount WHERE waiting > 0
                    UNION ALL
                    SELECT app, count(*) FROM callbackEvent JOIN callbackReceiver ON id = receiver
                    WHERE callbackEvent.dueAt IS NULL GROUP BY app
                    """
            )
            return rows.reduce(into: [:]) { $0[$1["app"], default: 0] += $1["waiting"] as Int }
        }
    }
}
