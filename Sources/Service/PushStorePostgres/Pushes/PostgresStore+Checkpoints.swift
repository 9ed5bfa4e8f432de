import Foundation
import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

// The reports of workers on the chunks that they have leased.
extension PostgresStore {
    package func checkpoint(_ checkpoint: Checkpoint, _ claim: LeaseClaim) async throws -> CheckpointResult {
        try await write { [self] session in
            var result = CheckpointResult()
            var isKept = checkpoint.chunks.isEmpty
            let stored = try CheckpointedChunk.lock(checkpoint.chunks.map(\.id), in: session.connection)
            if stored.values.contains(where: { $0.wasWritten(by: checkpoint) }) {
                return try repeated(checkpoint, stored, in: session)
            }
            var updates = ChunkUpdates(of: checkpoint.id)
            for progress in checkpoint.chunks {
                // Without a row, the message was deleted, with its app.
                guard let chunk = stored[progress.id] else { continue }
                let finding = try Self.apply(progress, to: chunk, claim, updates: &updates, in: session)
                isKept = isKept || finding != .lost
                if let finding { result.findings[progress.id] = finding }
            }
            // A worker that has lost its leases may not write.
            guard isKept else { return result }
            try session.connection.queue { pipeline in
                try updates.write(to: pipeline)
                try Self.insert(checkpoint.deviceEvents, to: pipeline)
                try Self.insert(checkpoint.stepEvents, to: pipeline)
                if let pause = checkpoint.pause { try Self.insert(pause, of: checkpoint.destination, to: pipeline) }
            }
            // After the updates, because the original chunk may be among them.
            for progress in checkpoint.chunks where result.findings[progress.id] != .lost {
                guard let retry = stored[progress.id], let origin = retry.origin else { continue }
                try Self.copy(progress, ofRetry: retry, to: origin, in: session.connection)
            }
            result.devices = try note(checkpoint.refusedTokens, in: session.connection)
            return result
        }
    }

    /// Returns the result of a checkpoint that was written before.
    private func repeated(
        _ checkpoint: Checkpoint,
        _ stored: [Chunk.ID: CheckpointedChunk],
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
            } else if chunk.isOfBatch {
                result.findings[progress.id] = .settled(chunk.settled)
            }
        }
        if stored.values.contains(where: \.hasCallback) { session.hasCallbackEvents = true }
        for (app, tokens) in Dictionary(grouping: checkpoint.refusedTokens, by: \.device.app) {
            let ordinals = Set(tokens.map(\.device.ordinal)).sorted()
            result.devices += try RegisteredDevice.lock(ordinals, of: app, in: session.connection)
        }
        return result
    }

    private static func apply(
        _ progress: ChunkProgress,
        to stored: CheckpointedChunk,
        _ claim: LeaseClaim,
        updates: inout ChunkUpdates,
        in session: StoreSession
    ) throws -> CheckpointResult.Finding? {
        var chunk = stored
        // A chunk that is done while it is leased was withdrawn, and stays so.
        let isDone = chunk.isDone
        guard chunk.fence == progress.fence, isDone || chunk.leaseOwner == claim.owner.rawValue else { return .lost }
        try note(progress, of: chunk, in: session)
        chunk.sent.formUnion(progress.sent)
        chunk.settled.formUnion(progress.settled)
        for undecided in progress.undecided where chunk.origin == nil && !isDone {
            for place in undecided.places where !chunk.settled.contains(place) { chunk.deferred.insert(place) }
            try insert(undecided, of: chunk, in: session.connection)
        }
        // In a withdrawn chunk, devices after the cursor with neither bit are reported as withdrawn.
        if !isDone { chunk.cursor = progress.cursor }
        updates.add(chunk, with: progress, claim)
        if isDone { return .withdrawn }
        return chunk.isOfBatch ? .settled(chunk.settled) : nil
    }

    /// Writes the events of a checkpoint for the callback of its message.
    private static func note(_ progress: ChunkProgress, of chunk: CheckpointedChunk, in session: StoreSession) throws {
        guard chunk.hasCallback, let notes = try CallbackNotes(progress.id.message, in: session) else { return }
        let rows = try session.connection.execute(
            "SELECT ordinals FROM chunk WHERE message = $1 AND number = $2",
            .message(progress.id.message),
            .int64(Int64(progress.id.number))
        )
        let ordinals = OrdinalList(packed: rows.first?.bytes(0) ?? []).ordinals
        let sent = ordinals.indices.filter { progress.sent.contains($0) && !chunk.sent.contains($0) }
        var failed = ordinals.indices.filter { progress.settled.contains($0) && !chunk.settled.contains($0) }
        if progress.problem == .expired, progress.ending == .done, !chunk.isDone {
            failed += ordinals.indices.filter {
                $0 >= chunk.cursor && !chunk.sent.contains($0) && !chunk.settled.contains($0)
                    && !chunk.deferred.contains($0)
            }
        }
        let date = progress.date.milliseconds
        try notes.add(.succeeded, of: sent.map { ordinals[$0] }, in: .send, at: date, session)
        try notes.add(.notDelivered, of: failed.map { ordinals[$0] }, in: .send, at: date, session)
    }

    /// Creates a chunk of the devices without an outcome.
    private static func insert(
        _ undecided: ChunkProgress.Undecided,
        of origin: CheckpointedChunk,
        in connection: PostgresConnection
    ) throws {
        // Devices withdrawn meanwhile are not retried.
        let ordinals = zip(undecided.places, undecided.ordinals).filter { !origin.settled.contains($0.0) }.map(\.1)
        guard let first = ordinals.first, let last = ordinals.last else { return }
        // Two chunks of a message may be checkpointed at a time; their new chunks need different numbers.
        try connection.execute("SELECT 1 FROM message WHERE id = $1 FOR UPDATE", .message(origin.id.message))
        let event = JourneyEvent.service(undecided.problem, at: Date(milliseconds: origin.updatedAt))
        try connection.execute(
            """
            INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, attempt,
                prepared, problem, updatedAt, lane, origin)
            SELECT $1, max(number) + 1, $2, 'retry', $3, $4, $5, false, $6, false, $7, $8, $9, $10, $11, $12
            FROM chunk WHERE message = $1
            """,
            .message(origin.id.message),
            .int64(origin.app),
            .bytes(OrdinalList(ordinals).packed),
            .ordinal(first),
            .ordinal(last),
            .date(undecided.dueAt),
            .int64(Int64(undecided.attempt)),
            .int64(Int64(ordinals.count)),
            .text(event.json.text),
            .int64(origin.updatedAt),
            .int64(origin.lane),
            .int64(Int64(origin.id.number))
        )
    }

    /// Copies the outcomes of a retry to the original chunk of its devices, which is the one that is counted.
    private static func copy(
        _ progress: ChunkProgress,
        ofRetry retry: CheckpointedChunk,
        to number: Int,
        in connection: PostgresConnection
    ) throws {
        guard !progress.sent.isEmpty || !progress.settled.isEmpty else { return }
        let rows = try connection.execute(
            "SELECT ordinals, sent, settled FROM chunk WHERE message = $1 AND number = $2 FOR UPDATE",
            .message(progress.id.message),
            .int64(Int64(number))
        )
        guard let row = rows.first else { return }
        let places = OrdinalList(packed: row.bytes(0))
        var (sent, settled) = (PlaceSet(bytes: row.bytes(1)), PlaceSet(bytes: row.bytes(2)))
        for (place, ordinal) in retry.ordinals.ordinals.enumerated() {
            guard let found = places.place(of: ordinal) else { continue }
            if progress.sent.contains(place) { sent.insert(found) }
            if progress.settled.contains(place) { settled.insert(found) }
        }
        try connection.execute(
            """
            UPDATE chunk SET sent = $1, settled = $2, updatedAt = greatest(updatedAt, $3) WHERE message = $4 AND number = $5
            """,
            .bytes(sent.bytes),
            .bytes(settled.bytes),
            .date(progress.date),
            .message(progress.id.message),
            .int64(Int64(number))
        )
    }

    private static func insert(_ pause: Pause, of destination: Destination, to pipeline: StatementList) throws {
        pipeline.add(
            """
            INSERT INTO pause (app, environment, reason, detail, until) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (app, environment)
            DO UPDATE SET reason = excluded.reason, detail = excluded.detail, until = excluded.until
            """,
            .app(destination.app),
            .text(destination.environment.rawValue),
            .text(pause.reason.rawValue),
            .text(pause.detail),
            .date(pause.until)
        )
    }
}

/// A chunk as stored in its row.
private struct CheckpointedChunk {
    var id: Chunk.ID
    var app: Int64
    var lane: Int64
    var fence: Int64
    var leaseOwner: Int64?
    var isDone: Bool
    var cursor: Int
    var sent: PlaceSet
    var settled: PlaceSet
    var deferred: PlaceSet
    /// For a retry, the number of the original chunk of its devices.
    var origin: Int?
    /// The devices of a retry.
    var ordinals: OrdinalList
    var updatedAt: Int64
    var isOfBatch: Bool
    var hasCallback: Bool
    /// The last checkpoint; negative if it found the chunk withdrawn.
    var checkpoint: Int64?

    func wasWritten(by checkpoint: Checkpoint) -> Bool { self.checkpoint.map(abs) == checkpoint.id }

    /// Returns the statement that locks the chunks with the messages and numbers of some rows.
    private static func lock(asked: String) -> String {
        """
        SELECT chunk.message, chunk.number, chunk.app, chunk.lane, fence, leaseOwner, isDone, cursor, sent, settled,
            deferred, origin, CASE WHEN origin IS NOT NULL THEN ordinals ELSE '' END, updatedAt, lastID IS NOT NULL,
            EXISTS (SELECT 1 FROM callback WHERE callback.message = chunk.message), checkpoint
        FROM chunk JOIN \(asked) AS asked (message, number)
            ON chunk.message = asked.message AND chunk.number = asked.number
        JOIN message ON message.id = chunk.message
        ORDER BY chunk.message, chunk.number FOR UPDATE OF chunk
        """
    }

    /// Locks and reads the chunks that still exist, in the order of their keys.
    static func lock(_ ids: [Chunk.ID], in connection: PostgresConnection) throws -> [Chunk.ID: CheckpointedChunk] {
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
                    .int64s(ids.map { Int64($0.number) })
                )
            }
        var chunks: [Chunk.ID: CheckpointedChunk] = [:]
        for row in rows {
            let id = Chunk.ID(message: MessageID(row.int64(0)), number: Int(row.int64(1)))
            chunks[id] = CheckpointedChunk(
                id: id,
                app: row.int64(2),
                lane: row.int64(3),
                fence: row.int64(4),
                leaseOwner: row.optionalInt64(5),
                isDone: row.bool(6),
                cursor: Int(row.int64(7)),
                sent: PlaceSet(bytes: row.bytes(8)),
                settled: PlaceSet(bytes: row.bytes(9)),
                deferred: PlaceSet(bytes: row.bytes(10)),
                origin: row.optionalInt64(11).map { Int($0) },
                ordinals: OrdinalList(packed: row.bytes(12)),
                updatedAt: row.int64(13),
                isOfBatch: row.bool(14),
                hasCallback: row.bool(15),
                checkpoint: row.optionalInt64(16)
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
        var (dueAt, owner, until, isDone) = (Int64.min, Int64(-1), Int64(-1), chunk.isDone)
        switch progress.ending {
        case .goesOn:
            if !isDone { (owner, until) = (claim.owner.rawValue, claim.expiresAt.milliseconds) }
        case .released(let date): dueAt = date.milliseconds
        case .done: isDone = true
        }
        let attempt = chunk.origin == nil ? nil : progress.undecided.map(\.attempt).max()
        let row: [Int64] = [
            chunk.id.message.number, Int64(chunk.id.number), dueAt, owner, until, isDone ? 1 : 0,
            attempt.map { Int64($0) } ?? -1, Int64(chunk.cursor), progress.date.milliseconds,
            chunk.isDone ? -checkpoint : checkpoint,
        ]
        for (column, number) in row.enumerated() { numbers[column].append(number) }
        for (column, set) in [chunk.sent, chunk.settled, chunk.deferred].enumerated() { bits[column].append(set.bytes) }
        problems.append(progress.problem.map { JourneyEvent.service($0, at: progress.date).json.text } ?? "")
    }

    func write(to pipeline: StatementList) throws {
        guard !problems.isEmpty else { return }
        // The server looks up a single row without a join.
        let isOne = problems.count == 1
        let types = [String](repeating: "bigint", count: 10) + [String](repeating: "bytea", count: 3) + ["text"]
        let row = types.enumerated().map { "$\($0 + 1)::\($1)\(isOne ? "" : "[]")" }.joined(separator: ", ")
        var values = numbers.map { PostgresValue.int64s($0) } + bits.map { .byteArrays($0) } + [.texts(problems)]
        if isOne { values = numbers.map { .int64($0[0]) } + bits.map { .bytes($0[0]) } + [.text(problems[0])] }
        pipeline.add(
            """
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
            """,
            values
        )
    }
}
