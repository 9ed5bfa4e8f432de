package import Foundation
package import PushModel
package import PushService

/// A store's work as a worker alone in its lane does it.
extension DispatchStore {
    private var claim: LeaseClaim { LeaseClaim(owner: .onlyNode, expiresAt: .distantFuture) }

    /// Takes up what has been due for longest, of a lane that is not in `busy`.
    package func lease(at now: Date, besides busy: Set<Lane> = [], devices: Int) async throws -> Lease? {
        let waiting = try await waiting(for: .onlyNode, at: now).filter {
            !busy.contains($0.lane) && $0.startsAt <= now
        }
        for one in waiting.sorted(by: { $0.dueAt < $1.dueAt }) {
            if let lease = try await lease(one.lane, at: now, claim, devices: devices, besides: []) { return lease }
        }
        return nil
    }

    /// Takes up one chunk.
    package func lease(at now: Date) async throws -> (Message, Chunk)? {
        try await lease(at: now, devices: 0)?.items.first
    }

    package func releaseLeases() async throws { try await releaseLeases(of: .onlyNode) }

    /// Tells what a chunk has come to; when it is not `released` its worker keeps it.
    package func checkpoint(
        _ chunk: Chunk,
        releases: Bool,
        deviceEvents: [JourneyEntry] = [],
        refusedTokens: [RefusedToken] = []
    ) async throws -> CheckpointResult {
        var progress = ChunkProgress(chunk, cursor: chunk.cursor, at: chunk.updatedAt)
        progress.sent = chunk.sent
        progress.settled = chunk.settled
        progress.problem = chunk.problem
        progress.ending = chunk.isDone ? .done : releases ? .released(dueAt: chunk.dueAt) : .goesOn
        var checkpoint = Checkpoint(Destination(app: 1, environment: .production))
        checkpoint.chunks = [progress]
        checkpoint.deviceEvents = deviceEvents
        checkpoint.refusedTokens = refusedTokens
        return try await self.checkpoint(checkpoint, claim)
    }

    package func pause(_ app: App.ID, _ environment: APNSEnvironment, _ pause: Pause) async throws {
        try await self.pause(Destination(app: app, environment: environment), pause)
    }

    package func pause(_ destination: Destination, _ pause: Pause) async throws {
        var checkpoint = Checkpoint(destination)
        checkpoint.pause = pause
        _ = try await self.checkpoint(checkpoint, claim)
    }
}

extension CheckpointResult {
    package var isWithdrawn: Bool { findings.values.contains(.withdrawn) }
    /// The places of a batch that are over.
    package var settled: PlaceSet {
        findings.values.reduce(into: PlaceSet()) { if case .settled(let places) = $1 { $0.formUnion(places) } }
    }
}
