package import Foundation
import PushModel
package import PushService

extension SQLStore {
    package func releaseLeases(of owner: LeaseOwner) async throws {
        try await change { session -> Void in try Self.releaseLeases(of: owner, in: session) }
    }

    package static func releaseLeases(of owner: LeaseOwner, in session: any SQLSession) throws {
        try session.execute(
            """
            UPDATE chunk SET leaseOwner = NULL, leasedUntil = NULL WHERE NOT isDone AND leaseOwner = \(owner.rawValue)
            """
        )
    }
}

/// A chunk that waits in a lane.
package struct WaitingChunk {
    package var id: Chunk.ID
    /// Whether it is stored in its message's row.
    package var isUnstarted: Bool

    package init(_ message: Int64, _ number: Int64, isUnstarted: Bool) {
        id = Chunk.ID(message: MessageID(message), number: Int(number))
        self.isUnstarted = isUnstarted
    }

    /// Ends an unreadable chunk, so that nothing else waits for it.
    package func closeDamaged(at now: Date, in session: any SQLSession) throws {
        try session.unfold([id.message.number])
        try session.execute(
            """
            UPDATE chunk SET isDone = true, problem = \(JourneyEvent.service(.suppressed(.unreadable), at: now).json.text),
                updatedAt = \(now) WHERE message = \(id.message) AND number = \(id.number)
            """
        )
    }
}
