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

    package func lease(at now: Date, besides busy: Set<Lane>) async throws -> (Message, Chunk)? {
        // A look costs no commit; most looks find nothing.
        guard try await database.read({ try Self.oldest(at: now, besides: busy, in: $0) }) != nil else { return nil }
        return try await writes.write { database in
            guard let oldest = try Self.oldest(at: now, besides: busy, in: database) else { return nil }
            try Self.unfold(oldest.message, in: database)
            let id = [oldest.message, oldest.number]
            let chosen = try Row.fetchOne(
                database,
                sql: "SELECT * FROM chunk WHERE message = ? AND number = ?",
                arguments: StatementArguments(id)
            )
            guard var chunk = try chosen.map(Chunk.init(row:)) else { return nil }
            chunk.attempt += 1
            try database.execute(
                sql: "UPDATE chunk SET isLeased = 1, attempt = ? WHERE message = ? AND number = ?",
                arguments: [chunk.attempt] + StatementArguments(id)
            )
            let message = try Row.fetchOne(
                database,
                sql: "SELECT * FROM message WHERE id = ?",
                arguments: [oldest.message]
            )
            return try message.map { (try Message(row: $0), chunk) }
        }
    }

    /// Gives the only chunk of a message a row of its own, if it still lies in the message's.
    static func unfold(_ message: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO chunk SELECT * FROM unstartedChunk WHERE message = ?")
            .execute(arguments: [message])
        guard database.changesCount > 0 else { return }
        try database.cachedStatement(sql: "UPDATE message SET unstarted = NULL WHERE id = ?")
            .execute(arguments: [message])
    }

    package func waiting(besides busy: Set<Lane>) async throws -> [WaitingLane] {
        try await database.read { database in
            try Self.lanes(besides: busy, in: database).map { lane, oldest, pausedUntil in
                WaitingLane(
                    lane: lane,
                    dueAt: Date(milliseconds: oldest.dueAt),
                    pausedUntil: pausedUntil.map { Date(milliseconds: $0) }
                )
            }
        }
    }

    /// The chunk of a lane that has been due for longest, by what decides its turn.
    private struct Oldest {
        var dueAt: Int64
        var message: Int64
        var number: Int64
    }

    private static func oldest(at now: Date, besides busy: Set<Lane>, in database: Database) throws -> Oldest? {
        let now = now.milliseconds
        return try lanes(besides: busy, in: database)
            .filter { $0.pausedUntil ?? 0 <= now && $0.oldest.dueAt <= now }
            .map(\.oldest)
            .min { ($0.dueAt, $0.message, $0.number) < ($1.dueAt, $1.message, $1.number) }
    }

    /// The lanes in which something waits, however much it is: each is found by its number in an index, and its first chunk
    /// with it.
    private static func lanes(
        besides busy: Set<Lane>,
        in database: Database
    ) throws -> [(lane: Lane, oldest: Oldest, pausedUntil: Int64?)] {
        let numbers = try database.cachedStatement(
            sql: """
                WITH RECURSIVE waiting (lane) AS (
                    SELECT min(lane) FROM chunk WHERE isDone = 0 AND isLeased = 0
                    UNION ALL
                    SELECT (SELECT min(lane) FROM chunk WHERE isDone = 0 AND isLeased = 0 AND lane > waiting.lane)
                    FROM waiting WHERE lane IS NOT NULL
                ),
                unstarted (lane) AS (
                    SELECT min(lane) FROM message WHERE unstarted IS NOT NULL
                    UNION ALL
                    SELECT (SELECT min(lane) FROM message WHERE unstarted IS NOT NULL AND lane > unstarted.lane)
                    FROM unstarted WHERE lane IS NOT NULL
                )
                SELECT lane FROM waiting WHERE lane IS NOT NULL UNION SELECT lane FROM unstarted WHERE lane IS NOT NULL
                """
        )
        let first = try database.cachedStatement(
            sql: """
                SELECT dueAt, message, number FROM (
                    SELECT dueAt, message, number FROM chunk WHERE isDone = 0 AND isLeased = 0 AND lane = ?1
                    ORDER BY dueAt, message, number LIMIT 1
                )
                UNION ALL
                SELECT dueAt, message, number FROM (
                    SELECT acceptedAt AS dueAt, id AS message, 0 AS number FROM message
                    WHERE unstarted IS NOT NULL AND lane = ?1 ORDER BY acceptedAt, id LIMIT 1
                )
                ORDER BY dueAt, message, number LIMIT 1
                """
        )
        let pause = try database.cachedStatement(sql: "SELECT until FROM pause WHERE app = ? AND environment = ?")
        return try Int64.fetchAll(numbers).compactMap { number in
            let lane = Lane(number: number)
            guard !busy.contains(lane), let row = try Row.fetchOne(first, arguments: [number]) else { return nil }
            let until = try Int64.fetchOne(pause, arguments: [lane.app, lane.environment.rawValue])
            return (lane, Oldest(dueAt: row[0], message: row[1], number: row[2]), until)
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
        try await database.read { database in
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
            return JourneyFacts(
                message: message,
                chunk: chunks.first { $0.ordinals.place(of: ordinal) != nil },
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

extension Lane {
    /// As it stands in a chunk's row: one number, by which an index can be stepped through lane by lane.
    var number: Int64 { Int64(app) * 2 + (environment == .production ? 1 : 0) }

    init(number: Int64) {
        self.init(
            app: App.ID(truncatingIfNeeded: number / 2),
            environment: number % 2 == 1 ? .production : .development
        )
    }
}
