package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func releaseLeases() async throws {
        try await writes.write {
            try $0.execute(sql: "UPDATE chunk SET isLeased = 0 WHERE isLeased = 1 AND isDone = 0")
        }
    }

    package func release(_ chunk: Chunk.ID) async throws {
        try await writes.write { database in
            try database.execute(
                sql: "UPDATE chunk SET isLeased = 0 WHERE message = ? AND number = ?",
                arguments: [chunk.message.number, chunk.number]
            )
        }
    }

    package func checkpoint(
        _ chunk: Chunk,
        releases: Bool,
        exceptions: [JourneyException],
        deadTokens: [DeadToken]
    ) async throws -> Checkpoint {
        try await writes.write { [self] database in
            // A chunk that is done while a worker has it was withdrawn, and stays so.
            let statement = try database.cachedStatement(
                sql: """
                    UPDATE chunk SET dueAt = ?, isLeased = ?, isDone = max(isDone, ?), cursor = ?, sent = ?, settled = ?,
                        problem = CASE WHEN isDone THEN problem ELSE ? END, updatedAt = ?
                    WHERE message = ? AND number = ? RETURNING problem IS NOT ?
                    """
            )
            let problem = chunk.storedProblem
            let isWithdrawn = try Bool.fetchAll(
                statement,
                arguments: [
                    chunk.dueAt.milliseconds, !releases, chunk.isDone, chunk.cursor, Data(chunk.sent.bytes),
                    Data(chunk.settled.bytes), problem, chunk.updatedAt.milliseconds, chunk.id.message.number,
                    chunk.id.number, problem,
                ]
            ).first
            try Self.insert(exceptions, into: database)
            return Checkpoint(devices: try drop(deadTokens, in: database), isWithdrawn: isWithdrawn ?? false)
        }
    }

    package func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]? {
        try await writes.write { database in
            guard try Self.knowsMessage(id, app: app, since: date, in: database) else { return nil }
            try Self.unfold(id.number, in: database)
            let ended = try Row.fetchAll(
                database,
                sql: "SELECT * FROM chunk WHERE message = ? AND isDone = 0 AND isLeased = 0 ORDER BY number",
                arguments: [id.number]
            ).map(Chunk.init(row:))
            try Self.withdrawCustomMessage(id, at: now, in: database)
            let problem = JourneyEvent(date: now, station: .service, kind: .withdrawn).json.text
            try database.execute(
                sql: "UPDATE chunk SET isDone = 1, problem = ?, updatedAt = ? WHERE message = ? AND isDone = 0",
                arguments: [problem, now.milliseconds, id.number]
            )
            return ended
        }
    }

    package func record(_ events: [JourneyException]) async throws {
        try await writes.write { database in
            let known = try Self.known(Set(events.map(\.message)), in: database)
            // What is told of a message that was deleted would stay for ever.
            let events = events.filter { known.contains($0.message) }
            try Self.insert(events, into: database)
            try Self.count(events, in: database)
        }
    }

    private static func known(_ messages: Set<MessageID>, in database: Database) throws -> Set<MessageID> {
        let statement = try database.cachedStatement(sql: "SELECT app FROM message WHERE id = ?")
        return try messages.filter { message in
            guard let app = try App.ID.fetchOne(statement, arguments: [message.number]) else { return false }
            return try deletion(of: message, app: app, in: database) == nil
        }
    }

    private static func insert(_ events: [JourneyException], into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO journeyEvent (message, ordinal, at, event) VALUES (?, ?, ?, ?)"
        )
        for exception in events {
            let event = exception.event
            try statement.execute(arguments: [
                exception.message.number, exception.ordinal, event.date.milliseconds, event.json.text,
            ])
        }
    }

    package func journey(of message: MessageID, to ordinal: DeviceOrdinal) async throws -> JourneyFacts? {
        try await database.read { database -> JourneyFacts? in
            let id = message.number
            guard let row = try Row.fetchOne(database, sql: "SELECT * FROM message WHERE id = ?", arguments: [id])
            else {
                return nil
            }
            let message = try Message(row: row)
            guard try Self.deletion(of: message.id, app: message.app, in: database) == nil else { return nil }
            let chunks = try Row.fetchAll(
                database,
                sql: "SELECT * FROM anyChunk WHERE message = ? AND firstOrdinal <= ? AND lastOrdinal >= ?",
                arguments: [id, ordinal, ordinal]
            ).map(Chunk.init(row:))
            let events = try String.fetchAll(
                database,
                sql: "SELECT event FROM journeyEvent WHERE message = ? AND ordinal = ? ORDER BY at, rowid",
                arguments: [id, ordinal]
            ).map(JourneyEvent.init(stored:))
            let pause = try Row.fetchOne(
                database,
                sql: "SELECT * FROM pause WHERE app = ? AND environment = ?",
                arguments: [message.app, message.environment.rawValue]
            )
            func chunk(_ matches: (Chunk.Kind) -> Bool) -> Chunk? {
                chunks.first { matches($0.kind) && $0.ordinals.place(of: ordinal) != nil }
            }
            let device = DeviceID(app: message.app, ordinal: ordinal)
            let notification = chunk { $0 != .message }
            let receipts = try notification.flatMap { try Self.receipts(of: device, in: $0, database) }
            return JourneyFacts(
                message: message,
                chunk: notification,
                receipts: receipts?.bits ?? [],
                receiptsAt: receipts?.date,
                custom: try chunk { $0 == .message }.map { try Self.custom(of: device, $0, in: database) },
                events: events,
                pause: pause.flatMap(Pause.init(row:))
            )
        }
    }
}

extension Pause {
    fileprivate init?(row: Row) {
        guard let reason = PauseReason(rawValue: row["reason"]) else { return nil }
        self.init(reason: reason, detail: row["detail"], until: Date(milliseconds: row["until"]))
    }
}
