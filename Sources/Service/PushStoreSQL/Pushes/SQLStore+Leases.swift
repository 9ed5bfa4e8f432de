package import Foundation
import PushModel
package import PushService

extension SQLStore {
    package func releaseLeases(of owner: LeaseOwner) async throws {
        try await change { try $0.releaseLeases(of: owner) }
    }

    package func reclaimLeases(besides owner: LeaseOwner, at now: Date) async throws {
        try await updateLeases(
            "leaseOwner = NULL, leasedUntil = NULL",
            where: "leaseOwner IS NOT NULL AND leaseOwner <> \(owner.rawValue) AND leasedUntil <= \(now)"
        )
    }

    package func renewLeases(_ claim: LeaseClaim) async throws {
        try await updateLeases("leasedUntil = \(claim.expiresAt)", where: "leaseOwner = \(claim.owner.rawValue)")
    }

    private func updateLeases(_ changes: SQLStatement, where condition: SQLStatement) async throws {
        // There are almost never any, and in SQLite a read costs no commit.
        if dialect == .sqlite,
            try await first("SELECT 1 FROM chunk WHERE NOT isDone AND \(condition) LIMIT 1", read: { _ in true }) == nil
        {
            return
        }
        try await execute("UPDATE chunk SET \(changes) WHERE NOT isDone AND \(condition)")
    }
}

extension SQLSession {
    package func releaseLeases(of owner: LeaseOwner) throws {
        try execute(
            "UPDATE chunk SET leaseOwner = NULL, leasedUntil = NULL WHERE NOT isDone AND leaseOwner = \(owner.rawValue)"
        )
    }
}

/// A chunk that waits in a lane, and its message.
package struct WaitingPush {
    package var message: Message
    package var chunk: Chunk
    /// Whether the chunk is stored in its message's row.
    package var isUnstarted: Bool
    /// Whether the pushes of the message still have to be read.
    private let isBatch: Bool

    /// The query for the chunk of message `$1` with number `$2`, for ``init(_:)``.
    package static let query = """
        SELECT \(Chunk.columns), \(Message.columns), lastID IS NOT NULL, unstarted FROM message
        LEFT JOIN chunk ON chunk.message = $1 AND chunk.number = $2 WHERE id = $1
        """

    /// - Throws: ``CorruptRow`` if the message has no such chunk.
    package init(_ row: some SQLRow) throws {
        let first = Chunk.columnCount
        let last = Chunk.columnCount + Message.columnCount
        message = try Message(row, from: first)
        isBatch = row.bool(last)
        isUnstarted = !row.isNull(last + 1)
        if isUnstarted {
            let ordinals = OrdinalList(packed: row.bytes(last + 1))
            chunk = Chunk(onlyChunkOf: message, .send, ordinals)
        } else if row.isNull(0) {
            throw CorruptRow(table: "message", column: "unstarted", found: message.id.description)
        } else {
            chunk = try Chunk(row)
        }
    }

    /// Reads the pushes of a batch.
    ///
    /// - Throws: ``CorruptRow``.
    package mutating func readPushes(in session: any SQLSession) throws {
        if isBatch { try message.readPushes(in: session) }
    }
}

extension Lease {
    /// The number of chunks that a lease may skip because their devices have another push in progress: each is read for nothing.
    private static let mostPassed = 16

    /// Leases chunks that are due, in order: up to `devices` devices, or one chunk.
    ///
    /// `due` returns the chunks that are due, up to a limit; `lease` returns false for one that is left to others. Damaged chunks are
    /// closed.
    ///
    /// - Throws: an error of the database.
    package init?(
        of lane: Lane,
        isTrial: Bool,
        devices: Int,
        besides underWay: [OrdinalList],
        at now: Date,
        in session: any SQLSession,
        due: (_ limit: Int) throws -> [Chunk.ID],
        read: (Chunk.ID) throws -> WaitingPush?,
        lease: (WaitingPush) throws -> Bool
    ) throws {
        self.init(lane: lane, items: [], isTrial: isTrial)
        var left = isTrial ? 0 : devices
        var meant = DeviceDeduplicator(underWay)
        var passed = 0
        for id in try due(max(left, 1)) {
            do {
                guard var push = try read(id) else {
                    throw CorruptRow(table: "chunk", column: "message", found: id.message.description)
                }
                try push.readPushes(in: session)
                let rest = push.chunk.rest
                guard items.isEmpty || rest.count <= left else { break }
                // Later pushes to one of these devices wait for their turn; the others do not.
                guard meant.insert(rest), try lease(push) else {
                    passed += 1
                    if passed > Self.mostPassed { break }
                    continue
                }
                push.chunk.fence += 1
                push.message.delivery = lane.delivery
                push.message.topic = lane.topic
                items.append((push.message, push.chunk))
                left -= rest.count
                guard left > 0 else { break }
            } catch let error as CorruptRow {
                try session.close(id, at: now)
                damaged.append(DamagedChunk(id: id, description: "\(error)"))
            }
        }
        if items.isEmpty && damaged.isEmpty { return nil }
    }
}

extension SQLSession {
    /// Ends an unreadable chunk, so that nothing else waits for it.
    fileprivate func close(_ damaged: Chunk.ID, at now: Date) throws {
        try unfold([damaged.message.number])
        try execute(
            """
            UPDATE chunk SET isDone = true, problem = \(JourneyEvent.service(.suppressed(.unreadable), at: now).json.text),
                updatedAt = \(now) WHERE message = \(damaged.message) AND number = \(damaged.number)
            """
        )
    }
}
