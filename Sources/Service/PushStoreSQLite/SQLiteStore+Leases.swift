package import Foundation
import GRDB
import PushModel
package import PushService

// What waits, and who takes it up.
extension SQLiteStore {
    package func lease(at now: Date, besides busy: Set<Lane>, devices: Int) async throws -> Lease? {
        // A look costs no commit; most looks find nothing.
        guard try await database.read({ try Self.next(at: now, besides: busy, in: $0) }) != nil else { return nil }
        return try await writes.write { database in
            guard let (lane, isTrial) = try Self.next(at: now, besides: busy, in: database) else { return nil }
            let limit = isTrial ? 0 : devices
            var lease = Lease(lane: lane, items: [], isTrial: isTrial)
            var left = limit
            var meant: Set<DeviceOrdinal> = []
            for id in try Self.due(in: lane, at: now, limit: max(limit, 1), database) {
                var chunk = try Self.chunk(id, in: database)
                let rest = chunk.rest
                guard lease.items.isEmpty || (rest.count <= left && meant.isDisjoint(with: rest)) else { break }
                chunk.attempt += 1
                lease.items.append((try Self.take(chunk, in: database), chunk))
                left -= rest.count
                guard left > 0 else { break }
                meant.formUnion(rest)
            }
            return lease
        }
    }

    /// What is due in a lane, in its order.
    private static func due(in lane: Lane, at now: Date, limit: Int, _ database: Database) throws -> [Chunk.ID] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT message, number, dueAt FROM (
                    SELECT message, number, dueAt FROM chunk
                    WHERE isDone = 0 AND isLeased = 0 AND lane = ?1 AND dueAt <= ?2 ORDER BY dueAt, message, number LIMIT ?3
                )
                UNION ALL
                SELECT message, number, dueAt FROM (
                    SELECT id AS message, 0 AS number, acceptedAt AS dueAt FROM message
                    WHERE unstarted IS NOT NULL AND lane = ?1 AND acceptedAt <= ?2 ORDER BY acceptedAt, id LIMIT ?3
                )
                ORDER BY dueAt, message, number LIMIT ?3
                """
        )
        return try Row.fetchAll(statement, arguments: [lane.number, now.milliseconds, limit]).map {
            Chunk.ID(message: MessageID($0["message"]), number: $0["number"])
        }
    }

    /// A chunk that waits, with a row of its own from now on.
    private static func chunk(_ id: Chunk.ID, in database: Database) throws -> Chunk {
        let statement = try database.cachedStatement(sql: "SELECT * FROM chunk WHERE message = ? AND number = ?")
        func find() throws -> Chunk? {
            try Row.fetchOne(statement, arguments: [id.message.number, id.number]).map(Chunk.init(row:))
        }
        if let chunk = try find() { return chunk }
        try unfold(id.message.number, in: database)
        guard let chunk = try find() else {
            throw CorruptRow(table: "message", column: "unstarted", found: id.message.description)
        }
        return chunk
    }

    /// Notes that a worker has a chunk.
    private static func take(_ chunk: Chunk, in database: Database) throws -> Message {
        try database.cachedStatement(
            sql: "UPDATE chunk SET isLeased = 1, attempt = ? WHERE message = ? AND number = ?"
        ).execute(arguments: [chunk.attempt, chunk.id.message.number, chunk.id.number])
        let statement = try database.cachedStatement(sql: "SELECT * FROM message WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [chunk.id.message.number]) else {
            throw CorruptRow(table: "chunk", column: "message", found: chunk.id.message.description)
        }
        return try Message.read(row, in: database)
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
    private struct Oldest: Comparable {
        var dueAt: Int64
        var message: Int64
        var number: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.dueAt, left.message, left.number) < (right.dueAt, right.message, right.number)
        }
    }

    /// The lane whose first chunk has been due for longest, and whether it was paused.
    private static func next(at now: Date, besides busy: Set<Lane>, in database: Database) throws -> (Lane, Bool)? {
        let now = now.milliseconds
        return try lanes(besides: busy, in: database)
            .filter { $0.pausedUntil ?? 0 <= now && $0.oldest.dueAt <= now }
            .min { $0.oldest < $1.oldest }
            .map { ($0.lane, $0.pausedUntil != nil) }
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
