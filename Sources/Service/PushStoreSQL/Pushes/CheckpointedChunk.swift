import Foundation
import PushModel
package import PushService

/// A leased chunk as a checkpoint finds it in its row.
package struct CheckpointedChunk {
    package var id: Chunk.ID
    package var app: Int64
    package var lane: Int64
    package var fence: Int64
    package var leaseOwner: Int64?
    package var isDone: Bool
    package var cursor: Int
    package var sent: PlaceSet
    package var settled: PlaceSet
    package var deferred: PlaceSet
    /// For a retry, the number of the original chunk of its devices.
    package var origin: Int?
    /// The devices of a retry.
    package var ordinals: OrdinalList
    package var updatedAt: Int64
    package var isOfBatch: Bool

    /// The columns for ``init(_:)``, in order, of `chunk` joined with `message`.
    package static let columns = """
        chunk.message, chunk.number, chunk.app, chunk.lane, fence, leaseOwner, isDone, cursor, sent, settled, deferred, origin,
        CASE WHEN origin IS NOT NULL THEN ordinals END, updatedAt, lastID IS NOT NULL
        """
    /// The number of columns.
    package static let columnCount = 15

    package init(_ row: some SQLRow) {
        id = Chunk.ID(message: row.message(0), number: row.int(1))
        app = row.int64(2)
        lane = row.int64(3)
        fence = row.int64(4)
        leaseOwner = row.optionalInt64(5)
        isDone = row.bool(6)
        cursor = row.int(7)
        sent = row.places(8)
        settled = row.places(9)
        deferred = row.places(10)
        origin = row.optionalInt(11)
        ordinals = OrdinalList(packed: row.optionalBytes(12) ?? [])
        updatedAt = row.int64(13)
        isOfBatch = row.bool(14)
    }

    /// Adds the progress of the owner of the lease, whose retries are stored, and its events for the callback.
    ///
    /// - Returns: false if the lease is not that of the progress, which then has no effect.
    package mutating func add(
        _ progress: ChunkProgress,
        _ claim: LeaseClaim,
        hasCallback: Bool = true,
        in session: any SQLSession
    ) throws -> Bool {
        // A chunk that is done while it is leased was withdrawn, and stays so.
        guard fence == progress.fence, isDone || leaseOwner == claim.owner.rawValue else { return false }
        if hasCallback, let notes = try CallbackNotes(id.message, in: session) {
            try note(progress, in: notes, session)
        }
        sent.formUnion(progress.sent)
        settled.formUnion(progress.settled)
        for undecided in progress.undecided where origin == nil && !isDone {
            for place in undecided.places where !settled.contains(place) { deferred.insert(place) }
            try insert(undecided, in: session)
        }
        // In a withdrawn chunk, devices after the cursor with neither bit are reported as withdrawn.
        if !isDone { cursor = progress.cursor }
        return true
    }

    /// The columns that a checkpoint writes besides the cursor and the places. Those without a value are null; `dueAt`
    /// and `attempt` then stay.
    package struct Ending {
        package var dueAt, leaseOwner, leasedUntil, attempt: Int64?
        package var isDone: Bool
        package var problem: String?
    }

    /// Returns the state after progress that was added.
    package func ending(_ progress: ChunkProgress, _ claim: LeaseClaim) -> Ending {
        var ending = Ending(isDone: isDone)
        switch progress.ending {
        case .goesOn:
            guard !isDone else { break }
            ending.leaseOwner = claim.owner.rawValue
            ending.leasedUntil = claim.expiresAt.milliseconds
        case .released(let date): ending.dueAt = date.milliseconds
        case .done: ending.isDone = true
        }
        if origin != nil { ending.attempt = progress.undecided.map(\.attempt).max().map { Int64($0) } }
        ending.problem = progress.problem.map { JourneyEvent.service($0, at: progress.date).json.text }
        return ending
    }

    /// The result for the worker; nil if it only goes on.
    package var finding: CheckpointResult.Finding? { isDone ? .withdrawn : isOfBatch ? .settled(settled) : nil }

    private var key: SQLStatement { "message = \(id.message) AND number = \(id.number)" }

    private func note(_ progress: ChunkProgress, in notes: CallbackNotes, _ session: any SQLSession) throws {
        let all = try session.first("SELECT ordinals FROM chunk WHERE \(key)") {
            $0.ordinals(0).ordinals
        }
        let ordinals = all ?? []
        let sent = ordinals.indices.filter { progress.sent.contains($0) && !self.sent.contains($0) }
        var failed = ordinals.indices.filter { progress.settled.contains($0) && !settled.contains($0) }
        if progress.problem == .expired, progress.ending == .done, !isDone {
            failed += ordinals.indices.filter {
                $0 >= cursor && !self.sent.contains($0) && !settled.contains($0) && !deferred.contains($0)
            }
        }
        let date = progress.date.milliseconds
        try notes.add(.succeeded, of: sent.map { ordinals[$0] }, in: .send, at: date, session)
        try notes.add(.notDelivered, of: failed.map { ordinals[$0] }, in: .send, at: date, session)
    }

    /// Creates a chunk of the devices without an outcome.
    private func insert(_ undecided: ChunkProgress.Undecided, in session: any SQLSession) throws {
        // Devices withdrawn meanwhile are not retried.
        let ordinals = zip(undecided.places, undecided.ordinals).filter { !settled.contains($0.0) }.map(\.1)
        guard let first = ordinals.first, let last = ordinals.last else { return }
        // Two chunks of a message may be checkpointed at a time; their new chunks need different numbers.
        try session.lockRows("SELECT 1 FROM message WHERE id = \(id.message)")
        let event = JourneyEvent.service(undecided.problem, at: Date(milliseconds: updatedAt))
        try session.execute(
            """
            INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, attempt,
                prepared, problem, updatedAt, lane, origin)
            SELECT \(id.message), max(number) + 1, \(app), 'retry', \(OrdinalList(ordinals).packed), \(first), \(last), false,
                \(undecided.dueAt), false, \(undecided.attempt), \(ordinals.count), \(event.json.text), \(updatedAt), \(lane),
                \(id.number)
            FROM chunk WHERE message = \(id.message)
            """
        )
    }

    /// Copies the outcomes of a retry to the original chunk of its devices, which is the one that is counted.
    package func copyOutcomes(_ progress: ChunkProgress, in session: any SQLSession) throws {
        guard let origin, !progress.sent.isEmpty || !progress.settled.isEmpty else { return }
        let key: SQLStatement = "message = \(id.message) AND number = \(origin)"
        let found = try session.first(
            "SELECT ordinals, sent, settled FROM chunk WHERE \(key) \(raw: session.dialect.locking())"
        ) { ($0.ordinals(0), $0.places(1), $0.places(2)) }
        guard let (places, before, settledBefore) = found else { return }
        var sent = before
        var settled = settledBefore
        for (place, ordinal) in ordinals.ordinals.enumerated() {
            guard let found = places.place(of: ordinal) else { continue }
            if progress.sent.contains(place) { sent.insert(found) }
            if progress.settled.contains(place) { settled.insert(found) }
        }
        try session.execute(
            """
            UPDATE chunk SET sent = \(sent.bytes), settled = \(settled.bytes),
                updatedAt = \(raw: session.dialect.greatest)(updatedAt, \(progress.date)) WHERE \(key)
            """
        )
    }
}
