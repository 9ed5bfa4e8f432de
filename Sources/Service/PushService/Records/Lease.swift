package import Foundation

/// Who works on leased chunks: one node.
package struct LeaseOwner: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The only node of a service that has one.
    package static let onlyNode = LeaseOwner(rawValue: 1)
}

/// A claim on chunks: until it expires nobody else takes them up.
package struct LeaseClaim: Hashable, Sendable {
    package var owner: LeaseOwner
    package var expiresAt: Date

    package init(owner: LeaseOwner, expiresAt: Date) {
        self.owner = owner
        self.expiresAt = expiresAt
    }
}

/// What a worker takes up in a lane at one time.
package struct Lease: Sendable {
    package typealias Item = (message: Message, chunk: Chunk)

    package var lane: Lane
    /// No device waits in two of them, so that the pushes to each keep their order.
    package var items: [Item]
    /// The lane was paused: this finds out whether it still has to be.
    package var isTrial: Bool
    /// What could not be read, and was closed: with the devices it is nobody knows.
    package var damaged: [DamagedChunk]

    package init(lane: Lane, items: [Item], isTrial: Bool, damaged: [DamagedChunk] = []) {
        self.lane = lane
        self.items = items
        self.isTrial = isTrial
        self.damaged = damaged
    }
}

/// A chunk whose row, or whose message's row, does not hold what Posthorn writes.
package struct DamagedChunk: Hashable, Sendable {
    package var id: Chunk.ID
    /// What was found, for a person.
    package var description: String

    package init(id: Chunk.ID, description: String) {
        self.id = id
        self.description = description
    }
}
