package import Foundation
import GRDB
package import PushModel
package import PushService

// The events that wait for callback addresses.
extension SQLiteStore {
    package func takeCallbacks(
        at now: Date,
        _ limits: CallbackLimits,
        deferral: Date
    ) async throws -> [CallbackBatch] {
        // Without due events nothing is written.
        guard limits.pushes > 0, let next = try await nextCallbackDue(besides: limits.busy), next <= now
        else { return [] }
        return try await writes.write { database in
            let turns = try Self.turns(at: now, limits, in: database)
            return try turns.compactMap { turn in
                guard var batch = try Self.batch(of: turn.message, in: database) else {
                    try database.execute(sql: "DELETE FROM callbackEvent WHERE message = ?", arguments: [turn.message])
                    return nil
                }
                (batch.receiver, batch.failures) = (turn.receiver, turn.failures)
                let rows = try Row.fetchCursor(
                    database,
                    sql: "SELECT * FROM callbackEvent WHERE message = ? AND dueAt <= ? ORDER BY number",
                    arguments: [turn.message, now.milliseconds]
                )
                while let row = try rows.next() {
                    let found = try Self.events(row)
                    guard batch.events.isEmpty || batch.count + found.ordinals.count <= limits.events else { break }
                    batch.events.append(found)
                }
                try Self.setDue(batch.numbers, deferral, in: database)
                try database.cachedStatement(sql: "UPDATE callbackReceiver SET servedAt = ? WHERE id = ?")
                    .execute(arguments: [now.milliseconds, turn.receiver])
                return batch
            }
        }
    }

    private struct Turn {
        var receiver: Int64
        var failures: Int
        var message: Int64
    }

    /// Returns the pushes that are next: one of each receiver, then a second of each, and so on.
    private static func turns(at now: Date, _ limits: CallbackLimits, in database: Database) throws -> [Turn] {
        let receivers = try Row.fetchAll(
            database,
            sql: """
                SELECT id, failures FROM callbackReceiver AS receiver WHERE pausedUntil <= ?1
                AND EXISTS (SELECT 1 FROM callbackEvent AS event WHERE event.receiver = receiver.id AND event.dueAt <= ?1)
                ORDER BY servedAt, id
                """,
            arguments: [now.milliseconds]
        )
        var queues: [[Turn]] = []
        for row in receivers {
            let (receiver, failures): (Int64, Int) = (row["id"], row["failures"])
            let messages = try Int64.fetchAll(
                database,
                sql:
                    "SELECT DISTINCT message FROM callbackEvent WHERE receiver = ? AND dueAt <= ? ORDER BY dueAt LIMIT ?",
                arguments: [
                    receiver, now.milliseconds, min(limits.rest(of: receiver, failures: failures), limits.pushes),
                ]
            )
            if !messages.isEmpty {
                queues.append(messages.map { Turn(receiver: receiver, failures: failures, message: $0) })
            }
        }
        let rounds = (0..<limits.share).flatMap { round in queues.compactMap { $0.dropFirst(round).first } }
        return Array(rounds.prefix(limits.pushes))
    }

    private static func batch(of message: Int64, in database: Database) throws -> CallbackBatch? {
        guard
            let row = try Row.fetchOne(database, sql: "SELECT * FROM callback WHERE message = ?", arguments: [message])
        else { return nil }
        let params = (try? JSONValue(parsing: Array((row["params"] as String).utf8)))?.object
        let callback = PushCallback(
            url: row["url"],
            params: params ?? [:],
            kinds: PushCallback.Kind(rawValue: row["kinds"])
        )
        return CallbackBatch(message: MessageID(row["origin"]), app: row["app"], callback: callback, events: [])
    }

    private static func events(_ row: Row) throws -> CallbackBatch.Events {
        CallbackBatch.Events(
            number: row["number"],
            kind: PushCallback.Kind(rawValue: row["kind"]),
            part: try word(row, "part", of: "callbackEvent"),
            date: Date(milliseconds: row["at"]),
            ordinals: OrdinalList(packed: row["ordinals"] as Data).ordinals,
            attempts: row["attempts"]
        )
    }

    private static func setDue(_ numbers: [Int64], _ date: Date, in database: Database) throws {
        let statement = try database.cachedStatement(sql: "UPDATE callbackEvent SET dueAt = ? WHERE number = ?")
        for number in numbers { try statement.execute(arguments: [date.milliseconds, number]) }
    }

    package func nextCallbackDue(besides numbers: Set<Int64>) async throws -> Date? {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT id, max(pausedUntil, (SELECT min(dueAt) FROM callbackEvent AS event WHERE event.receiver = receiver.id))
                        AS due
                    FROM callbackReceiver AS receiver
                    """
            )
            var next: Int64?
            while let row = try rows.next() {
                guard let due = row["due"] as Int64?, !numbers.contains(row["id"]) else { continue }
                next = min(next ?? due, due)
            }
            return next.map { Date(milliseconds: $0) }
        }
    }

    package func finishCallbacks(_ batch: CallbackBatch) async throws {
        try await writes.write { database in
            try Self.remove(batch.numbers, countedAs: "delivered", in: database)
            try Self.resume(batch.receiver, in: database)
        }
    }

    /// Ends the pause of a receiver.
    private static func resume(_ receiver: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE callbackReceiver SET failures = 0, pausedUntil = 0 WHERE id = ? AND failures > 0"
        ).execute(arguments: [receiver])
    }

    package func dropCallbacks(_ batch: CallbackBatch, _ problem: String) async throws {
        try await writes.write { database in
            for number in batch.numbers {
                try database.cachedStatement(
                    sql: """
                        UPDATE callback SET problem = ?
                        WHERE message = (SELECT message FROM callbackEvent WHERE number = ?)
                        """
                ).execute(arguments: [problem, number])
            }
            try Self.remove(batch.numbers, countedAs: "lost", in: database)
        }
    }

    package func failCallbacks(
        _ batch: CallbackBatch,
        _ problem: String,
        at now: Date,
        retry: Date,
        limit: Int
    ) async throws -> Int {
        try await writes.write { database in
            try Self.setDue(batch.numbers, now, in: database)
            // Of deliveries that fail side by side the first counts for the receiver, and for all that waits for it.
            try database.execute(
                sql: "UPDATE callbackReceiver SET failures = ?1, pausedUntil = ?2 WHERE id = ?3 AND failures < ?1",
                arguments: [batch.failures + 1, retry.milliseconds, batch.receiver]
            )
            if database.changesCount > 0 {
                try database.execute(
                    sql: "UPDATE callbackEvent SET attempts = attempts + 1 WHERE receiver = ? AND dueAt <= ?",
                    arguments: [batch.receiver, now.milliseconds]
                )
            } else {
                let statement = try database.cachedStatement(
                    sql: "UPDATE callbackEvent SET attempts = attempts + 1 WHERE number = ?"
                )
                for number in batch.numbers { try statement.execute(arguments: [number]) }
            }
            try database.execute(
                sql: """
                    UPDATE callback SET problem = ?1
                    WHERE message IN (SELECT message FROM callbackEvent WHERE receiver = ?2 AND dueAt <= ?3)
                    """,
                arguments: [problem, batch.receiver, now.milliseconds]
            )
            let over = try Int64.fetchAll(
                database,
                sql: "SELECT number FROM callbackEvent WHERE receiver = ? AND dueAt <= ? AND attempts >= ?",
                arguments: [batch.receiver, now.milliseconds, limit]
            )
            let lost = try Self.remove(over, countedAs: "lost", in: database)
            let waits = try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM callbackEvent WHERE receiver = ?)",
                arguments: [batch.receiver]
            )
            if waits != true { try Self.resume(batch.receiver, in: database) }
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
        in database: Database
    ) throws -> Int {
        var count = 0
        for number in numbers {
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT message, ordinals FROM callbackEvent WHERE number = ?"),
                arguments: [number]
            )
            guard let row else { continue }
            let devices = OrdinalList.count(packed: row["ordinals"] as Data)
            try database.cachedStatement(sql: "UPDATE callback SET \(column) = \(column) + ? WHERE message = ?")
                .execute(arguments: [devices, row["message"] as Int64])
            try database.cachedStatement(sql: "DELETE FROM callbackEvent WHERE number = ?").execute(arguments: [number])
            count += devices
        }
        return count
    }

    package func callbackState(of message: MessageID) async throws -> CallbackState? {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM callback WHERE origin = ? ORDER BY message",
                arguments: [message.number]
            )
            guard let first = rows.first else { return nil }
            var state = CallbackState(url: first["url"], delivered: 0, waiting: 0, lost: 0, problem: nil)
            for row in rows {
                state.delivered += row["delivered"]
                state.lost += row["lost"]
                state.problem = row["problem"] ?? state.problem
                let waiting = try Data.fetchAll(
                    database,
                    sql: "SELECT ordinals FROM callbackEvent WHERE message = ?",
                    arguments: [row["message"] as Int64]
                )
                state.waiting += waiting.reduce(0) { $0 + OrdinalList.count(packed: $1) }
            }
            return state
        }
    }

    package func waitingCallbacks() async throws -> Int {
        try await read { Int(try CallbackNotes.waiting(in: $0)) }
    }
}

extension CallbackBatch {
    fileprivate var numbers: [Int64] { events.map(\.number) }
}
