package import Foundation

/// The node that works on leased chunks.
package struct LeaseOwner: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The only node of a single-node service.
    package static let onlyNode = LeaseOwner(rawValue: 1)
}

/// A claim on chunks: until it expires no other owner leases them.
package struct LeaseClaim: Hashable, Sendable {
    package var owner: LeaseOwner
    package var expiresAt: Date

    package init(owner: LeaseOwner, expiresAt: Date) {
        self.owner = owner
        self.expiresAt = expiresAt
    }
}

/// The chunks that a worker leases in a lane at one time.
package struct Lease: Sendable {
    package typealias Item = (message: Message, chunk: Chunk)

    package var lane: Lane
    /// The chunks with their messages. No device is in two of them, so that pushes to a device stay in order.
    package var items: [Item]
    /// Whether the lane was paused: this lease finds out whether it still has to be.
    package var isTrial: Bool
    /// Chunks that could not be read and were closed; their devices are unknown.
    package var damaged: [DamagedChunk]

    package init(lane: Lane, items: [Item], isTrial: Bool, damaged: [DamagedChunk] = []) {
        self.lane = lane
        self.items = items
        self.isTrial = isTrial
        self.damaged = damaged
    }
}

/// A chunk whose row, or whose message's row, has content that Posthorn does not write.
package struct DamagedChunk: Hashable, Sendable {
    package var id: Chunk.ID
    /// A description of the damage, for the log.
    package var description: String

    package init(id: Chunk.ID, description: String) {
        self.id = id
        self.description = description
    }
}
