import Foundation
import PostgresClient
import PostgresTestSupport
import PushModel
import PushStoreConformance
import TestSupport
import Testing

@testable import PushService
@testable import PushStorePostgres

@Suite("Checkpoints whose commit was not answered", .suiteLimit)
struct RepeatedCheckpointTests {
    private static let start = SharedStoreContract.start
    private static let lane = Lane(app: 1, environment: .production, .immediate)
    private static let claim = LeaseClaim(owner: LeaseOwner(rawValue: 1), expiresAt: start.addingTimeInterval(600))

    /// Writes a checkpoint whose answer is lost.
    private static func loseAnswer(to checkpoint: Checkpoint, in place: HeldCommits) async throws {
        try await place.loseOutcome { _ = try await $0.checkpoint(checkpoint, claim) }
    }

    /// The texts that checkpoints write.
    private static func rows(in place: HeldCommits) async throws -> [String] {
        try await place.pool.run { connection in
            try ["chunk", "stepEvent", "journeyEvent", "device", "destinationPause"].flatMap { table in
                try connection.execute("SELECT '\(table) ' || x::text FROM \(table) AS x ORDER BY 1").map {
                    $0.text(0)
                }
            }
        }
    }

    private static func lease(_ ordinals: Range<DeviceOrdinal>, in store: PostgresStore) async throws -> Chunk {
        let message = PushStoreContract.message(1, of: 1, at: start, timeToLive: 3600)
        let chunk = PushStoreContract.chunk(message, 0, Array(ordinals), at: start)
        let push = PreparedPush(message: message, chunks: [chunk], isPaced: false)
        _ = try await store.accept([push], cidsSince: .distantPast)
        let lease = try await store.lease(lane, at: start, claim, devices: 100, besides: [])
        return try #require(lease?.items.first?.chunk)
    }

    private static func progress(_ chunk: Chunk, _ ending: ChunkProgress.Ending) -> ChunkProgress {
        var progress = ChunkProgress(chunk, cursor: 4, at: start.addingTimeInterval(1))
        progress.sent = PlaceSet([0, 1])
        progress.settled = PlaceSet([2])
        progress.undecided = [
            ChunkProgress.Undecided(
                places: [3],
                ordinals: [3],
                dueAt: start.addingTimeInterval(60),
                attempt: 1,
                problem: .retried("connection")
            )
        ]
        progress.ending = ending
        return progress
    }

    @Test(
        "Repeated, it is recognised: nothing is written twice, and the result is the same",
        arguments: [.goesOn, .done, .released(dueAt: Self.start)] as [ChunkProgress.Ending]
    )
    func repeated(_ ending: ChunkProgress.Ending) async throws {
        try await HeldCommits.run { place in
            let chunk = try await Self.lease(0..<10, in: place.store)
            var checkpoint = Checkpoint(Self.lane.destination)
            checkpoint.chunks = [Self.progress(chunk, ending)]
            let event = JourneyEvent.service(.sent, at: Self.start)
            checkpoint.stepEvents = [StepEvent(message: MessageID(1), event: event, ordinals: [0, 1])]
            try await Self.loseAnswer(to: checkpoint, in: place)
            let written = try await Self.rows(in: place)
            #expect(written.count { $0.hasPrefix("chunk ") } == 2, "The chunk, and that of the retry.")
            let result = try await place.store.checkpoint(checkpoint, Self.claim)
            #expect(result.findings.isEmpty)
            #expect(try await Self.rows(in: place) == written)
            // Another checkpoint with the same contents is another.
            guard ending == .goesOn else { return }
            var next = Checkpoint(Self.lane.destination)
            next.chunks = [Self.progress(chunk, .done)]
            let other = try await place.store.checkpoint(next, Self.claim)
            #expect(other.findings.isEmpty)
            #expect(try await Self.rows(in: place).count { $0.hasPrefix("chunk ") } == 3)
        }
    }

    @Test("A push that was withdrawn before is reported as withdrawn again, one that was withdrawn since is not")
    func withdrawn() async throws {
        try await HeldCommits.run { place in
            let chunk = try await Self.lease(0..<10, in: place.store)
            var checkpoint = Checkpoint(Self.lane.destination)
            checkpoint.chunks = [Self.progress(chunk, .goesOn)]
            try await Self.loseAnswer(to: checkpoint, in: place)
            _ = try await place.store.withdraw(MessageID(1), of: 1, since: .distantPast, at: Self.start)
            var result = try await place.store.checkpoint(checkpoint, Self.claim)
            #expect(result.findings.isEmpty)
            var next = Checkpoint(Self.lane.destination)
            next.chunks = [Self.progress(chunk, .goesOn)]
            try await Self.loseAnswer(to: next, in: place)
            result = try await place.store.checkpoint(next, Self.claim)
            #expect(result.findings == [chunk.id: .withdrawn])
        }
    }

    @Test("A device whose token was refused is reported again")
    func tokens() async throws {
        try await HeldCommits.run { place in
            let app = try #require(try await place.store.apps().first)
            let registered = try await SharedStoreContract.device("ann", of: app, in: place.store)
            let token = DeviceToken(bytes: [UInt8](repeating: 7, count: 32))
            let device = try #require(
                try await place.store.updateDevice(registered.id) { device in
                    device.token = token
                    device.tokenRegisteredAt = Self.start
                }
            )
            let chunk = try await Self.lease(device.id.ordinal..<device.id.ordinal + 1, in: place.store)
            var checkpoint = Checkpoint(Self.lane.destination)
            var progress = ChunkProgress(chunk, cursor: 1, at: Self.start)
            progress.settled = PlaceSet([0])
            progress.ending = .done
            checkpoint.chunks = [progress]
            checkpoint.refusedTokens = [
                RefusedToken(device: device.id, token: token, reason: .unregistered, since: Self.start)
            ]
            try await Self.loseAnswer(to: checkpoint, in: place)
            let written = try await place.store.device(device.id)
            #expect(written?.token == nil)
            let result = try await place.store.checkpoint(checkpoint, Self.claim)
            #expect(result.devices.map(\.id) == [device.id])
            #expect(result.devices.first?.token == nil)
            #expect(result.devices.first?.version == written?.version)
        }
    }

    @Test("If others have the chunk since, the repetition reports nothing")
    func overtaken() async throws {
        try await HeldCommits.run { place in
            let chunk = try await Self.lease(0..<10, in: place.store)
            var checkpoint = Checkpoint(Self.lane.destination)
            checkpoint.chunks = [Self.progress(chunk, .released(dueAt: Self.start))]
            try await Self.loseAnswer(to: checkpoint, in: place)
            let other = LeaseClaim(owner: LeaseOwner(rawValue: 2), expiresAt: Self.claim.expiresAt)
            let lease = try await place.store.lease(Self.lane, at: Self.start, other, devices: 100, besides: [])
            let taken = try #require(lease?.items.map(\.chunk).first { $0.id == chunk.id })
            var next = Checkpoint(Self.lane.destination)
            next.chunks = [Self.progress(taken, .goesOn)]
            _ = try await place.store.checkpoint(next, other)
            let written = try await Self.rows(in: place)
            let result = try await place.store.checkpoint(checkpoint, Self.claim)
            #expect(result.findings == [chunk.id: .lost])
            #expect(try await Self.rows(in: place) == written)
        }
    }
}
