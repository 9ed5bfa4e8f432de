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
            for progress in checkpoint.chunks {
                switch try Self.apply(progress, claim, in: database) {
                case .gone: break
                case .applied(let finding):
                    isKept = isKept || finding != .lost
                    if let finding { result.findings[progress.id] = finding }
                }
            }
            // A worker that has lost its leases may not write.
            guard isKept else { return result }
            try Self.insert(checkpoint.deviceEvents, into: database)
            try Self.insert(checkpoint.stepEvents, into: database)
            result.devices = try note(checkpoint.refusedTokens, in: database)
            if let pause = checkpoint.pause { try Self.insert(pause, of: checkpoint.destination, into: database) }
            return result
        }
    }

    private enum Kept {
        /// The message was deleted, with its app.
        case gone
        case applied(CheckpointResult.Finding?)
    }

    private static func apply(
        _ progress: ChunkProgress,
        _ claim: LeaseClaim,
        in database: Database
    ) throws -> Kept {
        guard var chunk = try CheckpointedChunk.read(progress.id, in: database) else { return .gone }
        // A chunk that is done while it is leased was withdrawn, and stays so.
        let isDone = chunk.isDone
        guard chunk.fence == progress.fence, isDone || chunk.leaseOwner == claim.owner.rawValue else {
            return .applied(.lost)
        }
        try note(progress, of: chunk, in: database)
        chunk.sent.formUnion(progress.sent)
        chunk.settled.formUnion(progress.settled)
        for undecided in progress.undecided where chunk.origin == nil && !isDone {
            for place in undecided.places where !chunk.settled.contains(place) { chunk.deferred.insert(place) }
            try insert(undecided, of: chunk, in: database)
        }
        // In a withdrawn chunk, devices after the cursor with neither bit are reported as withdrawn.
        if !isDone { chunk.cursor = progress.cursor }
        try update(chunk, with: progress, ending: Ending(progress, isDone: isDone, claim), in: database)
        if let origin = chunk.origin { try copy(progress, ofRetry: chunk, to: origin, in: database) }
        if isDone { return .applied(.withdrawn) }
        return .applied(chunk.isOfBatch ? .settled(chunk.settled) : nil)
    }

    /// Writes the events of a checkpoint for the callback of its message.
    private static func note(_ progress: ChunkProgress, of chunk: CheckpointedChunk, in database: Database) throws {
        let session = SQLiteSession(database: database)
        guard let notes = try CallbackNotes(progress.id.message, in: session) else { return }
        var ordinals = chunk.ordinals.ordinals
        if chunk.origin == nil {
            let statement = try database.cachedStatement(
                sql: "SELECT ordinals FROM chunk WHERE message = ? AND number = ?"
            )
            let packed = try Data.fetchOne(statement, arguments: [progress.id.message.number, progress.id.number])
            ordinals = OrdinalList(packed: packed ?? Data()).ordinals
        }
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

    private static func update(
        _ chunk: CheckpointedChunk,
        with progress: ChunkProgress,
        ending: Ending,
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
        let attempt = chunk.origin == nil ? nil : progress.undecided.map(\.attempt).max()
        let problem = progress.problem.map { JourneyEvent.service($0, at: progress.date).json.text }
        update.bind(ending.dueAt)
        update.bind(ending.leaseOwner)
        update.bind(ending.leasedUntil)
        update.bind(chunk.isDone || ending.isDone ? 1 : 0)
        update.bind(attempt.map { Int64($0) })
        update.bind(Int64(chunk.cursor))
        update.bind(chunk.sent.bytes.span)
        update.bind(chunk.settled.bytes.span)
        update.bind(chunk.deferred.bytes.span)
        update.bind(problem)
        update.bind(progress.date.milliseconds)
        update.bind(progress.id.message.number)
        update.bind(Int64(progress.id.number))
        try update.execute(in: database)
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

        /// Returns the chunk; nil if it no longer exists.
        static func read(_ id: Chunk.ID, in database: Database) throws -> CheckpointedChunk? {
            var question = try StatementBinding(
                """
                SELECT chunk.app, chunk.lane, fence, leaseOwner, isDone, cursor, sent, settled, deferred, origin,
                    CASE WHEN origin IS NOT NULL THEN ordinals END, updatedAt, lastID IS NOT NULL
                FROM chunk JOIN message ON message.id = message WHERE message = ? AND number = ?
                """,
                in: database
            )
            question.bind(id.message.number)
            question.bind(Int64(id.number))
            return try question.first(in: database) { row in
                CheckpointedChunk(
                    id: id,
                    app: row.int64(0),
                    lane: row.int64(1),
                    fence: row.int64(2),
                    leaseOwner: row.optionalInt64(3),
                    isDone: row.int64(4) != 0,
                    cursor: Int(row.int64(5)),
                    sent: PlaceSet(bytes: row.bytes(6)),
                    settled: PlaceSet(bytes: row.bytes(7)),
                    deferred: PlaceSet(bytes: row.bytes(8)),
                    origin: row.optionalInt64(9).map { Int($0) },
                    ordinals: OrdinalList(packed: row.bytes(10)),
                    updatedAt: row.int64(11),
                    isOfBatch: row.int64(12) != 0
                )
            }
        }
    }

    /// The state of the lease after a checkpoint.
    private struct Ending {
        var dueAt: Int64?
        var leaseOwner: Int64?
        var leasedUntil: Int64?
        var isDone = false

        init(_ progress: ChunkProgress, isDone wasDone: Bool, _ claim: LeaseClaim) {
            switch progress.ending {
            case .goesOn:
                guard !wasDone else { return }
                (leaseOwner, leasedUntil) = (claim.owner.rawValue, claim.expiresAt.milliseconds)
            case .released(let date): dueAt = date.milliseconds
            case .done: isDone = true
            }
        }
    }

    /// Creates a chunk of the devices without an outcome.
    private static func insert(
        _ undecided: ChunkProgress.Undecided,
        of origin: CheckpointedChunk,
        in database: Database
    ) throws {
        // Devices withdrawn meanwhile are not retried.
        let ordinals = zip(undecided.places, undecided.ordinals).filter { !origin.settled.contains($0.0) }.map(\.1)
        guard let first = ordinals.first, let last = ordinals.last else { return }
        let event = JourneyEvent.service(undecided.problem, at: Date(milliseconds: origin.updatedAt))
        try database.cachedStatement(
            sql: """
                INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone,
                    attempt, prepared, problem, updatedAt, lane, origin)
                SELECT ?1, max(number) + 1, ?2, 'retry', ?3, ?4, ?5, 0, ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12
                FROM chunk WHERE message = ?1
                """
        ).execute(arguments: [
            origin.id.message.number, origin.app, Data(OrdinalList(ordinals).packed), first, last,
            undecided.dueAt.milliseconds, undecided.attempt, ordinals.count, event.json.text, origin.updatedAt,
            origin.lane, origin.id.number,
        ])
    }

    /// Copies the outcomes of a retry to the original chunk of its devices, which is the one that is counted.
    private static func copy(
        _ progress: ChunkProgress,
        ofRetry retry: CheckpointedChunk,
        to number: Int,
        in database: Database
    ) throws {
        guard !progress.sent.isEmpty || !progress.settled.isEmpty else { return }
        let select = try database.cachedStatement(
            sql: "SELECT ordinals, sent, settled FROM chunk WHERE message = ? AND number = ?"
        )
        guard let row = try Row.fetchOne(select, arguments: [progress.id.message.number, number]) else { return }
        let places = OrdinalList(packed: row["ordinals"] as Data)
        var sent = PlaceSet(bytes: Array(row["sent"] as Data))
        var settled = PlaceSet(bytes: Array(row["settled"] as Data))
        for (place, ordinal) in retry.ordinals.ordinals.enumerated() {
            guard let found = places.place(of: ordinal) else { continue }
            if progress.sent.contains(place) { sent.insert(found) }
            if progress.settled.contains(place) { settled.insert(found) }
        }
        try database.cachedStatement(
            sql:
                "UPDATE chunk SET sent = ?, settled = ?, updatedAt = max(updatedAt, ?) WHERE message = ? AND number = ?"
        ).execute(arguments: [
            Data(sent.bytes), Data(settled.bytes), progress.date.milliseconds, progress.id.message.number, number,
        ])
    }

    static func insert(_ pause: Pause, of destination: Destination, into database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO pause (app, environment, reason, detail, until) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            destination.app, destination.environment.rawValue, pause.reason.rawValue, pause.detail,
            pause.until.milliseconds,
        ])
    }
}
