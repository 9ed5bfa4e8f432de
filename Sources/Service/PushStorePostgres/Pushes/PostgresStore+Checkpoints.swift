import Foundation
import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

// The reports of workers on the chunks that they have leased.
extension PostgresStore {
    package func checkpoint(_ checkpoint: Checkpoint, _ claim: LeaseClaim) async throws -> CheckpointResult {
        try await change { [self] session in
            var result = CheckpointResult()
            var isKept = checkpoint.chunks.isEmpty
            let stored = try LockedChunk.lock(checkpoint.chunks.map(\.id), in: session.connection)
            if stored.values.contains(where: { $0.wasWritten(by: checkpoint) }) {
                return try repeated(checkpoint, stored, in: session)
            }
            var updates = ChunkUpdates(of: checkpoint.id)
            for progress in checkpoint.chunks {
                // Without a row, the message was deleted, with its app.
                guard let chunk = stored[progress.id] else { continue }
                var after = chunk.chunk
                guard try after.add(progress, claim, hasCallback: chunk.hasCallback, in: session) else {
                    result.findings[progress.id] = .lost
                    continue
                }
                isKept = true
                updates.add(after, with: progress, claim)
                result.findings[progress.id] = after.finding
            }
            // A worker that has lost its leases may not write.
            guard isKept else { return result }
            updates.write(in: session.connection)
            Self.insert(checkpoint.deviceEvents, in: session.connection)
            Self.insert(checkpoint.stepEvents, in: session.connection)
            try session.insert(checkpoint.pause, of: checkpoint.destination)
            // After the updates, because the original chunk may be among them.
            for progress in checkpoint.chunks where result.findings[progress.id] != .lost {
                try stored[progress.id]?.chunk.copyOutcomes(progress, in: session)
            }
            result.devices = try note(checkpoint.refusedTokens, in: session)
            try session.note(.unregistered, of: result.devices.withoutToken, at: checkpoint.chunks.first?.date)
            return result
        }
    }

    /// Returns the result of a checkpoint that was written before.
    private func repeated(
        _ checkpoint: Checkpoint,
        _ stored: [Chunk.ID: LockedChunk],
        in session: StoreSession
    ) throws -> CheckpointResult {
        var result = CheckpointResult()
        for progress in checkpoint.chunks {
            guard let chunk = stored[progress.id] else { continue }
            // Another owner has written to the chunk since, or had its lease already.
            if !chunk.wasWritten(by: checkpoint) {
                result.findings[progress.id] = .lost
            } else if chunk.checkpoint ?? 0 < 0 {
                result.findings[progress.id] = .withdrawn
            } else if chunk.chunk.isOfBatch {
                result.findings[progress.id] = .settled(chunk.chunk.settled)
            }
        }
        if stored.values.contains(where: \.hasCallback) { session.hasCallbackEvents = true }
        for (app, tokens) in Dictionary(grouping: checkpoint.refusedTokens, by: \.device.app) {
            let ordinals = Set(tokens.map(\.device.ordinal)).sorted()
            result.devices += try RegisteredDevice.lock(ordinals, of: app, in: session.connection)
        }
        return result
    }
}

/// A chunk as stored in its row, which is locked.
private struct LockedChunk {
    var chunk: CheckpointedChunk
    var hasCallback: Bool
    /// The last checkpoint; negative if it found the chunk withdrawn.
    var checkpoint: Int64?

    func wasWritten(by checkpoint: Checkpoint) -> Bool { self.checkpoint.map(abs) == checkpoint.id }

    /// Returns the statement that locks the chunks with the messages and numbers of some rows.
    private static func lock(asked: String) -> String {
        """
        SELECT \(CheckpointedChunk.columns), EXISTS (SELECT 1 FROM callback WHERE callback.message = chunk.message), checkpoint
        FROM chunk JOIN \(asked) AS asked (message, number) ON chunk.message = asked.message AND chunk.number = asked.number
        JOIN message ON message.id = chunk.message
        ORDER BY chunk.message, chunk.number FOR UPDATE OF chunk
        """
    }

    /// Locks and reads the chunks that still exist, in the order of their keys.
    static func lock(_ ids: [Chunk.ID], in connection: PostgresConnection) throws -> [Chunk.ID: LockedChunk] {
        guard let first = ids.first else { return [:] }
        let rows =
            if ids.count == 1 {
                try connection.execute(
                    lock(asked: "(SELECT $1::bigint, $2::bigint)"),
                    .message(first.message),
                    .int64(Int64(first.number))
                )
            } else {
                try connection.execute(
                    lock(asked: "unnest($1::bigint[], $2::bigint[])"),
                    .int64s(ids.map(\.message.number)),
                    .numbers(ids.map(\.number))
                )
            }
        var chunks: [Chunk.ID: LockedChunk] = [:]
        for row in rows {
            let count = CheckpointedChunk.columnCount
            let chunk = CheckpointedChunk(row)
            chunks[chunk.id] = LockedChunk(
                chunk: chunk,
                hasCallback: row.bool(count),
                checkpoint: row.optionalInt64(count + 1)
            )
        }
        return chunks
    }
}

/// The new states of chunks after a checkpoint. -1 stands for null in columns that hold no negative number.
private struct ChunkUpdates {
    private var numbers: [[Int64]] = Array(repeating: [], count: 10)
    private var bits: [[[UInt8]]] = Array(repeating: [], count: 3)
    private var problems: [String] = []
    private let checkpoint: Int64

    init(of checkpoint: Int64) { self.checkpoint = checkpoint }

    mutating func add(_ chunk: CheckpointedChunk, with progress: ChunkProgress, _ claim: LeaseClaim) {
        let ending = chunk.ending(progress, claim)
        let row: [Int64] = [
            chunk.id.message.number, Int64(chunk.id.number), ending.dueAt ?? Int64.min, ending.leaseOwner ?? -1,
            ending.leasedUntil ?? -1, ending.isDone ? 1 : 0, ending.attempt ?? -1, Int64(chunk.cursor),
            progress.date.milliseconds, chunk.isDone ? -checkpoint : checkpoint,
        ]
        for (column, number) in row.enumerated() { numbers[column].append(number) }
        for (column, set) in [chunk.sent, chunk.settled, chunk.deferred].enumerated() { bits[column].append(set.bytes) }
        problems.append(ending.problem ?? "")
    }

    func write(in connection: PostgresConnection) {
        guard !problems.isEmpty else { return }
        // The server looks up a single row without a join.
        let isOne = problems.count == 1
        var values = numbers.map { PostgresValue.int64s($0) } + bits.map { .byteArrays($0) } + [.texts(problems)]
        if isOne { values = numbers.map { .int64($0[0]) } + bits.map { .bytes($0[0]) } + [.text(problems[0])] }
        let row = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let update = """
            UPDATE chunk SET dueAt = CASE WHEN new.dueAt = -9223372036854775808 THEN chunk.dueAt ELSE new.dueAt END,
                leaseOwner = nullif(new.leaseOwner, -1), leasedUntil = nullif(new.leasedUntil, -1), isDone = new.isDone = 1,
                attempt = CASE WHEN new.attempt = -1 THEN chunk.attempt ELSE new.attempt END, cursor = new.cursor,
                sent = new.sent, settled = new.settled, deferred = new.deferred,
                problem = CASE WHEN chunk.isDone THEN chunk.problem ELSE nullif(new.problem, '') END,
                updatedAt = new.updatedAt, checkpoint = new.checkpoint
            FROM \(isOne ? "(SELECT \(row))" : "unnest(\(row))")
                AS new (message, number, dueAt, leaseOwner, leasedUntil, isDone, attempt, cursor, updatedAt, checkpoint, sent,
                    settled, deferred, problem)
            WHERE chunk.message = new.message AND chunk.number = new.number
            """
        connection.queue((update, values))
    }
}

// The events of checkpoints and reports.
extension PostgresStore {
    /// Writes events of single devices, each once.
    static func insert(_ events: [JourneyEntry], in connection: PostgresConnection) {
        guard !events.isEmpty else { return }
        connection.queue(
            """
            INSERT INTO journeyEvent (message, ordinal, at, event)
            SELECT message, ordinal, at, event FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])
                WITH ORDINALITY AS row (message, ordinal, at, event, place) ORDER BY place
            ON CONFLICT (message, ordinal, md5(event)) DO NOTHING
            """,
            .int64s(events.map(\.message.number)),
            .numbers(events.map(\.ordinal)),
            .int64s(events.map { $0.event.date.milliseconds }),
            .texts(events.map { $0.event.json.text })
        )
    }

    /// Writes events that several devices share.
    private static func insert(_ events: [StepEvent], in connection: PostgresConnection) {
        guard !events.isEmpty else { return }
        connection.queue(
            """
            INSERT INTO stepEvent (message, at, event, firstOrdinal, lastOrdinal, ordinals)
            SELECT message, at, event, firstOrdinal, lastOrdinal, ordinals
            FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bytea[])
                WITH ORDINALITY AS row (message, at, event, firstOrdinal, lastOrdinal, ordinals, place) ORDER BY place
            """,
            .int64s(events.map(\.message.number)),
            .int64s(events.map { $0.event.date.milliseconds }),
            .texts(events.map { $0.event.json.text }),
            .int64s(events.map { Int64($0.ordinals.first ?? 0) }),
            .int64s(events.map { Int64($0.ordinals.last ?? 0) }),
            .byteArrays(events.map { OrdinalList($0.ordinals).packed })
        )
    }
}
