import Foundation
import GRDB
import PushModel
package import PushService
import PushStoreSQL

// The reports of workers on the chunks that they have leased.
extension SQLiteStore {
    package func checkpoint(_ checkpoint: Checkpoint, _ claim: LeaseClaim) async throws -> CheckpointResult {
        try await writes.write { [self] database in
            var result = CheckpointResult()
            var isKept = checkpoint.chunks.isEmpty
            let session = SQLiteSession(database: database)
            for progress in checkpoint.chunks {
                // Without a chunk, the message was deleted, with its app.
                guard var chunk = try Self.read(progress.id, in: database) else { continue }
                guard try chunk.add(progress, claim, in: session) else {
                    result.findings[progress.id] = .lost
                    continue
                }
                isKept = true
                try Self.update(chunk, chunk.ending(progress, claim), at: progress.date, in: database)
                try chunk.copyOutcomes(progress, in: session)
                result.findings[progress.id] = chunk.finding
            }
            // A worker that has lost its leases may not write.
            guard isKept else { return result }
            try Self.insert(checkpoint.deviceEvents, into: database)
            try Self.insert(checkpoint.stepEvents, into: database)
            result.devices = try note(checkpoint.refusedTokens, in: session)
            try session.note(.unregistered, of: result.devices.withoutToken, at: checkpoint.chunks.first?.date)
            try session.insert(checkpoint.pause, of: checkpoint.destination)
            return result
        }
    }

    private static func update(
        _ chunk: CheckpointedChunk,
        _ ending: CheckpointedChunk.Ending,
        at date: Date,
        in database: Database
    ) throws {
        var update = try StatementBinding(
            """
            UPDATE chunk SET dueAt = coalesce(?, dueAt), leaseOwner = ?, leasedUntil = ?, isDone = ?,
                attempt = coalesce(?, attempt), cursor = ?, sent = ?, settled = ?, deferred = ?,
                problem = CASE WHEN isDone THEN problem ELSE ? END, updatedAt = ?
            WHERE message = ? AND number = ?
            """,
            in: database
        )
        update.bind(ending.dueAt)
        update.bind(ending.leaseOwner)
        update.bind(ending.leasedUntil)
        update.bind(ending.isDone ? 1 : 0)
        update.bind(ending.attempt)
        update.bind(Int64(chunk.cursor))
        update.bind(chunk.sent.bytes.span)
        update.bind(chunk.settled.bytes.span)
        update.bind(chunk.deferred.bytes.span)
        update.bind(ending.problem)
        update.bind(date.milliseconds)
        update.bind(chunk.id.message.number)
        update.bind(Int64(chunk.id.number))
        try update.execute(in: database)
    }

    /// Returns the chunk; nil if it no longer exists.
    private static func read(_ id: Chunk.ID, in database: Database) throws -> CheckpointedChunk? {
        var question = try StatementBinding(
            """
            SELECT \(CheckpointedChunk.columns) FROM chunk JOIN message ON message.id = message
            WHERE message = ? AND number = ?
            """,
            in: database
        )
        question.bind(id.message.number)
        question.bind(Int64(id.number))
        return try question.first(in: database) { CheckpointedChunk($0) }
    }
}

// The events of checkpoints and reports.
extension SQLiteStore {
    static func insert(_ events: [JourneyEntry], into database: Database) throws {
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

    static func insert(_ events: [StepEvent], into database: Database) throws {
        let statement = try database.cachedStatement(
            sql:
                "INSERT INTO stepEvent (message, at, event, firstOrdinal, lastOrdinal, ordinals) VALUES (?, ?, ?, ?, ?, ?)"
        )
        for event in events {
            try statement.execute(arguments: [
                event.message.number, event.event.date.milliseconds, event.event.json.text, event.ordinals.first,
                event.ordinals.last, Data(OrdinalList(event.ordinals).packed),
            ])
        }
    }
}
