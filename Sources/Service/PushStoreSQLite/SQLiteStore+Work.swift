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
            let settled = try Self.settled(chunk, in: database)
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
                    Data(settled.bytes), problem, chunk.updatedAt.milliseconds, chunk.id.message.number,
                    chunk.id.number, problem,
                ]
            ).first
            try Self.insert(exceptions, into: database)
            return Checkpoint(
                devices: try drop(deadTokens, in: database),
                isWithdrawn: isWithdrawn ?? false,
                settled: settled
            )
        }
    }

    /// What is over of a chunk, with what was withdrawn of a batch while a worker had it.
    private static func settled(_ chunk: Chunk, in database: Database) throws -> PlaceSet {
        let statement = try database.cachedStatement(
            sql: """
                SELECT settled FROM chunk JOIN message ON message.id = message
                WHERE message = ? AND number = ? AND lastID IS NOT NULL
                """
        )
        let arguments: StatementArguments = [chunk.id.message.number, chunk.id.number]
        guard let stored = try Data.fetchOne(statement, arguments: arguments) else { return chunk.settled }
        var settled = PlaceSet(bytes: Array(stored))
        for place in chunk.ordinals.ordinals.indices where chunk.settled.contains(place) { settled.insert(place) }
        return settled
    }

    package func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]? {
        try await writes.write { database in
            guard let row = try MessageRow.find(id, in: database), row.app == app,
                row.acceptedAt >= date.milliseconds
            else { return nil }
            try Self.unfold(row.id, in: database)
            if let place = row.place {
                return try Self.withdraw(id, at: place, in: row, now, database).map { [$0] } ?? []
            }
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

    /// Ends one push of a batch; the others go on.
    ///
    /// - Returns: its part of the chunk as it was; nil if it was over, or somebody has it under way.
    private static func withdraw(
        _ id: MessageID,
        at place: Int,
        in batch: MessageRow,
        _ now: Date,
        _ database: Database
    ) throws -> Chunk? {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM chunk WHERE message = ?", arguments: [batch.id])
        guard let row else { return nil }
        var chunk = try Chunk(row: row)
        guard chunk.kind == .send else {
            try withdrawCustomMessage(id, at: place, in: chunk, acceptedWith: batch, now, database)
            return nil
        }
        let part = chunk.part(at: place, of: id)
        guard !part.isDone, !part.sent.contains(0) else { return nil }
        chunk.settled.insert(place)
        try database.execute(
            sql: "UPDATE chunk SET settled = ? WHERE message = ?",
            arguments: [Data(chunk.settled.bytes), batch.id]
        )
        let event = JourneyEvent(date: now, station: .service, kind: .withdrawn)
        let ordinal = chunk.ordinals.ordinals[place]
        try insert([JourneyException(message: id, ordinal: ordinal, event: event)], into: database)
        return row["isLeased"] ? nil : part
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
        try messages.filter { message in
            guard let row = try MessageRow.find(message, in: database) else { return false }
            return try deletion(of: message, app: row.app, in: database) == nil
        }
    }

    static func insert(_ events: [JourneyException], into database: Database) throws {
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
            guard let place = try MessageRow.find(message, in: database),
                try Self.deletion(of: message, app: place.app, in: database) == nil,
                let row = try Row.fetchOne(
                    database,
                    sql: "SELECT * FROM message WHERE id = ?",
                    arguments: [place.id]
                )
            else { return nil }
            let host = try Message.read(row, in: database)
            let chunks = try Row.fetchAll(
                database,
                sql: "SELECT * FROM anyChunk WHERE message = ? AND firstOrdinal <= ? AND lastOrdinal >= ?",
                arguments: [place.id, ordinal, ordinal]
            ).map(Chunk.init(row:))
            var message = host
            if let batch = host.batch, let place = place.place {
                message = batch.message(at: place)
            }
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
            func isMeant(_ chunk: Chunk) -> Bool {
                guard let found = chunk.ordinals.place(of: ordinal) else { return false }
                return place.place.map { $0 == found } ?? true
            }
            func part(_ chunk: Chunk) -> Chunk { place.place.map { chunk.part(at: $0, of: message.id) } ?? chunk }
            let device = DeviceID(app: message.app, ordinal: ordinal)
            let notification = chunks.first { $0.kind != .message && isMeant($0) }.map(part)
            let custom = try chunks.first { $0.kind == .message && isMeant($0) }.map { chunk in
                // What is known of it is kept for the whole chunk.
                var custom = try Self.custom(of: device, chunk, in: database)
                custom.chunk = part(chunk)
                return custom
            }
            let receipts = try notification.flatMap { try Self.receipts(of: device, in: $0, database) }
            return JourneyFacts(
                message: message,
                chunk: notification,
                receipts: receipts?.bits ?? [],
                receiptsAt: receipts?.date,
                custom: custom,
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
