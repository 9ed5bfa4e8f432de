package import Foundation
import GRDB
package import PushModel
package import PushService

// The events that wait for callback addresses.
extension SQLiteStore {
    package func takeCallbacks(
        at now: Date,
        pushes: Int,
        events: Int,
        deferral: Date
    ) async throws -> [CallbackBatch] {
        // Without due events nothing is written.
        guard let next = try await nextCallbackDue(), next <= now else { return [] }
        return try await writes.write { database in
            let messages = try Int64.fetchAll(
                database,
                sql: "SELECT DISTINCT message FROM callbackEvent WHERE dueAt <= ? ORDER BY dueAt LIMIT ?",
                arguments: [now.milliseconds, pushes]
            )
            return try messages.compactMap { message in
                guard var batch = try Self.batch(of: message, in: database) else {
                    try database.execute(sql: "DELETE FROM callbackEvent WHERE message = ?", arguments: [message])
                    return nil
                }
                let rows = try Row.fetchCursor(
                    database,
                    sql: "SELECT * FROM callbackEvent WHERE message = ? AND dueAt <= ? ORDER BY number",
                    arguments: [message, now.milliseconds]
                )
                while let row = try rows.next() {
                    let found = try Self.events(row)
                    guard batch.events.isEmpty || batch.count + found.ordinals.count <= events else { break }
                    batch.events.append(found)
                }
                try Self.setDue(batch.numbers, deferral, in: database)
                return batch
            }
        }
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

    package func nextCallbackDue() async throws -> Date? {
        try await database.read { database in
            try Int64.fetchOne(database, sql: "SELECT min(dueAt) FROM callbackEvent").map { Date(milliseconds: $0) }
        }
    }

    package func finishCallbacks(_ batch: CallbackBatch) async throws {
        try await writes.write { database in try Self.remove(batch, countedAs: "delivered", in: database) }
    }

    package func failCallbacks(_ batch: CallbackBatch, _ problem: String, retry: Date?) async throws {
        try await writes.write { database in
            for message in try Self.messages(of: batch, in: database) {
                try database.execute(
                    sql: "UPDATE callback SET problem = ? WHERE message = ?",
                    arguments: [problem, message]
                )
                guard let retry else { continue }
                // Its other events come along with the next attempt.
                try database.execute(
                    sql: "UPDATE callbackEvent SET dueAt = ?1 WHERE message = ?2 AND dueAt < ?1",
                    arguments: [retry.milliseconds, message]
                )
            }
            guard let retry else { return try Self.remove(batch, countedAs: "lost", in: database) }
            try Self.setDue(batch.numbers, retry, in: database)
            let statement = try database.cachedStatement(
                sql: "UPDATE callbackEvent SET attempts = attempts + 1 WHERE number = ?"
            )
            for number in batch.numbers { try statement.execute(arguments: [number]) }
        }
    }

    /// Removes the events of a batch and adds their number to a column of their callback.
    private static func remove(_ batch: CallbackBatch, countedAs column: String, in database: Database) throws {
        for events in batch.events {
            let statement = try database.cachedStatement(
                sql: """
                    UPDATE callback SET \(column) = \(column) + ?
                    WHERE message = (SELECT message FROM callbackEvent WHERE number = ?)
                    """
            )
            try statement.execute(arguments: [events.ordinals.count, events.number])
            try database.cachedStatement(sql: "DELETE FROM callbackEvent WHERE number = ?")
                .execute(arguments: [events.number])
        }
    }

    /// Returns the messages whose events are in the batch.
    private static func messages(of batch: CallbackBatch, in database: Database) throws -> Set<Int64> {
        let statement = try database.cachedStatement(sql: "SELECT message FROM callbackEvent WHERE number = ?")
        return Set(try batch.numbers.compactMap { try Int64.fetchOne(statement, arguments: [$0]) })
    }

    package func callbackState(of message: MessageID) async throws -> CallbackState? {
        try await database.read { database in
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
        try await database.read { Int(try CallbackNotes.waiting(in: $0)) }
    }
}

extension CallbackBatch {
    fileprivate var numbers: [Int64] { events.map(\.number) }
}
