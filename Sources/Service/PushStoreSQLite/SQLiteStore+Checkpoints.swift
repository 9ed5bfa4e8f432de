import Foundation
import GRDB
import PushModel
package import PushService

// What workers tell of the chunks that they have leased.
extension SQLiteStore {
    package func checkpoint(_ checkpoint: Checkpoint, _ claim: LeaseClaim) async throws -> CheckpointResult {
        try await writes.write { [self] database in
            var result = CheckpointResult()
            var isKept = checkpoint.chunks.isEmpty
            for progress in checkpoint.chunks {
                switch try Self.keep(progress, claim, in: database) {
                case .gone: break
                case .kept(let finding):
                    isKept = isKept || finding != .lost
                    if let finding { result.findings[progress.id] = finding }
                }
            }
            // Whoever has lost its leases has no more to say.
            guard isKept else { return result }
            try Self.insert(checkpoint.exceptions, into: database)
            try Self.insert(checkpoint.stepEvents, into: database)
            result.devices = try note(checkpoint.refusedTokens, in: database)
            if let pause = checkpoint.pause { try Self.insert(pause, of: checkpoint.destination, into: database) }
            return result
        }
    }

    private enum Kept {
        /// The message was deleted, with its app.
        case gone
        case kept(CheckpointResult.Finding?)
    }

    private static func keep(
        _ progress: ChunkProgress,
        _ claim: LeaseClaim,
        in database: Database
    ) throws -> Kept {
        let select = try database.cachedStatement(
            sql: """
                SELECT chunk.*, lastID IS NOT NULL AS isOfBatch FROM chunk JOIN message ON message.id = message
                WHERE message = ? AND number = ?
                """
        )
        guard let row = try Row.fetchOne(select, arguments: [progress.id.message.number, progress.id.number]) else {
            return .gone
        }
        let isDone: Bool = row["isDone"]
        // A chunk that is done while a worker has it was withdrawn, and stays so.
        guard row["fence"] == progress.fence, isDone || row["leaseOwner"] == claim.owner.rawValue else {
            return .kept(.lost)
        }
        var sent = PlaceSet(bytes: Array(row["sent"] as Data))
        var settled = PlaceSet(bytes: Array(row["settled"] as Data))
        var deferred = PlaceSet(bytes: Array(row["deferred"] as Data))
        sent.formUnion(progress.sent)
        settled.formUnion(progress.settled)
        let origin: Int? = row["origin"]
        // Of what was withdrawn, all that has neither bit and lies behind the cursor is told as withdrawn.
        let cursor = isDone ? row["cursor"] as Int : progress.cursor
        for undecided in progress.undecided where origin == nil && !isDone {
            for place in undecided.places where !settled.contains(place) { deferred.insert(place) }
            try insert(undecided, of: row, settled, in: database)
        }
        let ending = Ending(progress, isDone: isDone, claim)
        let problem = progress.problem.map { JourneyEvent(date: progress.date, station: .service, kind: $0).json.text }
        try database.cachedStatement(
            sql: """
                UPDATE chunk SET dueAt = coalesce(?, dueAt), leaseOwner = ?, leasedUntil = ?, isDone = ?,
                    attempt = coalesce(?, attempt), cursor = ?, sent = ?, settled = ?, deferred = ?,
                    problem = CASE WHEN isDone THEN problem ELSE ? END, updatedAt = ?
                WHERE message = ? AND number = ?
                """
        ).execute(arguments: [
            ending.dueAt, ending.leaseOwner, ending.leasedUntil, isDone || ending.isDone,
            origin == nil ? nil : progress.undecided.map(\.attempt).max(), cursor, Data(sent.bytes),
            Data(settled.bytes),
            Data(deferred.bytes), problem, progress.date.milliseconds, progress.id.message.number, progress.id.number,
        ])
        if let origin { try copy(progress, ofRetry: row, to: origin, in: database) }
        if isDone { return .kept(.withdrawn) }
        return .kept(row["isOfBatch"] ? .settled(settled) : nil)
    }

    /// What a checkpoint makes of the lease.
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

    /// Makes a chunk of what could not be decided.
    private static func insert(
        _ undecided: ChunkProgress.Undecided,
        of origin: Row,
        _ settled: PlaceSet,
        in database: Database
    ) throws {
        // What was withdrawn meanwhile is not tried again.
        let ordinals = zip(undecided.places, undecided.ordinals).filter { !settled.contains($0.0) }.map(\.1)
        guard let first = ordinals.first, let last = ordinals.last else { return }
        let message: Int64 = origin["message"]
        let updatedAt: Int64 = origin["updatedAt"]
        let event = JourneyEvent(
            date: Date(milliseconds: updatedAt),
            station: .service,
            kind: undecided.problem
        )
        try database.cachedStatement(
            sql: """
                INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone,
                    attempt, prepared, problem, updatedAt, lane, origin)
                SELECT ?1, max(number) + 1, ?2, 'retry', ?3, ?4, ?5, 0, ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12
                FROM chunk WHERE message = ?1
                """
        ).execute(arguments: [
            message, origin["app"] as Int64, Data(OrdinalList(ordinals).packed), first, last,
            undecided.dueAt.milliseconds, undecided.attempt, ordinals.count, event.json.text, updatedAt,
            origin["lane"] as Int64, origin["number"] as Int64,
        ])
    }

    /// What has come of a retry stands in the chunk that its devices came from too: that is the one that is counted.
    private static func copy(
        _ progress: ChunkProgress,
        ofRetry retry: Row,
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
        for (place, ordinal) in OrdinalList(packed: retry["ordinals"] as Data).ordinals.enumerated() {
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
}
