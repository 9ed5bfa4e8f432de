import Foundation
import PushModel
import PushService
import Testing

extension PushStoreContract {
    private static func claim(_ owner: Int64, until seconds: TimeInterval) -> LeaseClaim {
        LeaseClaim(owner: LeaseOwner(rawValue: owner), expiresAt: after(seconds))
    }

    /// Takes a push to some devices, due at once.
    private static func accept(
        _ id: Int64,
        to ordinals: [DeviceOrdinal],
        of app: App,
        in store: any PushStore
    ) async throws {
        let message = message(id, of: app)
        let chunk = chunk(message, 0, ordinals)
        let push = PreparedPush(message: message, chunks: [chunk], isPaced: false)
        _ = try await store.accept([push], cidsSince: start)
    }

    static let leases = [
        Clause("A lease is its owner's: another node neither frees it nor works in its lane until it expires") { open in
            let store = try open()
            let other = try open()
            let app = try await app(in: store)
            for id: Int64 in 1...2 {
                try await accept(id, to: [DeviceOrdinal(id)], of: app, in: store)
            }
            let lane = Lane(app: app.id, environment: .production, .immediate)
            func lease(_ owner: Int64, at seconds: TimeInterval, in store: any PushStore) async throws -> Chunk? {
                let claim = Self.claim(owner, until: seconds + 60)
                let lease = try await store.lease(lane, at: after(seconds), claim, devices: 0, besides: [])
                return lease?.items.first?.chunk
            }
            let first = try #require(try await lease(1, at: 0, in: store))
            #expect(first.fence == 1)
            #expect(try await lease(2, at: 1, in: other) == nil)
            #expect(try await other.waiting(for: LeaseOwner(rawValue: 2), at: after(1)).isEmpty)
            try await other.releaseLeases(of: LeaseOwner(rawValue: 2))
            try await other.reclaimLeases(besides: LeaseOwner(rawValue: 2), at: after(59))
            #expect(try await lease(2, at: 59, in: other) == nil)
            // Renewed, it lasts.
            try await store.renewLeases(claim(1, until: 120))
            try await other.reclaimLeases(besides: LeaseOwner(rawValue: 2), at: after(119))
            #expect(try await lease(2, at: 119, in: other) == nil)
            // What has expired passes on, with a greater number.
            try await other.reclaimLeases(besides: LeaseOwner(rawValue: 2), at: after(120))
            let taken = try #require(try await lease(2, at: 120, in: other))
            #expect(taken.id == first.id)
            #expect(taken.fence == 2)
            // What its former owner says counts for nothing.
            var late = ChunkProgress(first, cursor: 1, at: after(121))
            late.sent.insert(0)
            late.ending = .done
            var checkpoint = Checkpoint(lane.destination)
            checkpoint.chunks = [late]
            let event = JourneyEvent(date: after(121), station: .service, kind: .sent)
            checkpoint.deviceEvents = [JourneyEntry(message: MessageID(1), ordinal: 1, event: event)]
            checkpoint.pause = Pause(reason: .noCredential, detail: "", until: after(600))
            let result = try await store.checkpoint(checkpoint, claim(1, until: 200))
            #expect(result.findings == [first.id: .lost])
            let badges = BadgeUpdate(first, badges: [(1, 7)], prepared: 1)
            #expect(try await store.prepareBadges([badges], app: app.id).isEmpty)
            #expect(try await store.journey(of: MessageID(1), to: 1)?.events == [])
            #expect(try await store.journey(of: MessageID(1), to: 1)?.pause == nil)
            let facts = try #require(try await store.journey(of: MessageID(1), to: 1))
            #expect(facts.chunk?.sent.contains(0) == false)
            #expect(facts.chunk?.isDone == false)
        },
        Clause("Of two chunks of which one has passed to another node, what is said of the other counts") { open in
            let store = try open()
            let other = try open()
            let app = try await app(in: store)
            for id: Int64 in 1...2 {
                try await accept(id, to: [DeviceOrdinal(id)], of: app, in: store)
            }
            let lane = Lane(app: app.id, environment: .production, .immediate)
            var leased: [Chunk] = []
            for seconds: TimeInterval in [0, 30] {
                let lease = try await store.lease(
                    lane,
                    at: after(seconds),
                    claim(1, until: seconds + 60),
                    devices: 0,
                    besides: []
                )
                leased.append(try #require(lease?.items.first?.chunk))
            }
            #expect(leased.map(\.id.message) == [MessageID(1), MessageID(2)])
            try await other.reclaimLeases(besides: LeaseOwner(rawValue: 2), at: after(70))
            var checkpoint = Checkpoint(lane.destination)
            checkpoint.chunks = leased.map { chunk in
                var progress = ChunkProgress(chunk, cursor: 1, at: after(71))
                progress.sent = PlaceSet([0])
                progress.ending = .done
                return progress
            }
            let result = try await store.checkpoint(checkpoint, claim(1, until: 200))
            #expect(result.findings == [leased[0].id: .lost])
            #expect(try await store.journey(of: MessageID(2), to: 2)?.chunk?.sent.contains(0) == true)
            let taken = try await other.lease(lane, at: after(72), claim(2, until: 132), devices: 500, besides: [])
            #expect(taken?.items.map(\.chunk.id) == [leased[0].id])
            #expect(taken?.items.first?.chunk.fence == 2)
            #expect(taken?.items.first?.chunk.rest == [1])
        },
        Clause("What could not be decided is a chunk of its own, and counts where it came from") { open, store, app in
            try await accept(1, to: [4, 5, 6], of: app, in: store)
            let lane = Lane(app: app.id, environment: .production, .immediate)
            let claim = LeaseClaim(owner: .onlyNode, expiresAt: after(60))
            let first = try #require(try await store.lease(at: start)).1
            var progress = ChunkProgress(first, cursor: 3, at: after(1))
            progress.sent = PlaceSet([0, 2])
            progress.undecided = [
                ChunkProgress.Undecided(
                    places: [1],
                    ordinals: [5],
                    dueAt: after(9),
                    attempt: 1,
                    problem: .retried("connection")
                )
            ]
            progress.ending = .done
            var checkpoint = Checkpoint(lane.destination)
            checkpoint.chunks = [progress]
            _ = try await store.checkpoint(checkpoint, claim)
            #expect(try await store.lease(at: after(8)) == nil)
            let (_, retry) = try #require(try await open().lease(at: after(9)))
            #expect(retry.kind == .retry)
            #expect(retry.ordinals.ordinals == [5])
            #expect(retry.origin == 0)
            #expect(retry.attempt == 1)
            #expect(retry.prepared == 1, "Its badge is counted already.")
            // Tried in vain it stays the same chunk.
            progress = ChunkProgress(retry, cursor: 0, at: after(10))
            progress.undecided = [
                ChunkProgress.Undecided(
                    places: [0],
                    ordinals: [5],
                    dueAt: after(20),
                    attempt: 2,
                    problem: .retried("connection")
                )
            ]
            progress.ending = .released(dueAt: after(20))
            checkpoint = Checkpoint(lane.destination)
            checkpoint.chunks = [progress]
            _ = try await store.checkpoint(checkpoint, claim)
            let (_, again) = try #require(try await store.lease(at: after(20)))
            #expect(again.id == retry.id)
            #expect(again.attempt == 2)
            progress = ChunkProgress(again, cursor: 1, at: after(21))
            progress.sent = PlaceSet([0])
            progress.ending = .done
            checkpoint = Checkpoint(lane.destination)
            checkpoint.chunks = [progress]
            _ = try await store.checkpoint(checkpoint, claim)
            #expect(try await store.nextDue() == nil)
            let counts = try await store.counts(of: [MessageID(1)], app: app.id)
            #expect(counts[MessageID(1)]?.target == 3)
            #expect(counts[MessageID(1)]?.sent == 3)
        },
        Clause("A checkpoint of several chunks does to each what one of its own does") { _, store, app in
            let lane = Lane(app: app.id, environment: .production, .immediate)
            let claim = LeaseClaim(owner: .onlyNode, expiresAt: after(60))
            let endings: [ChunkProgress.Ending] = [.goesOn, .done, .released(dueAt: after(30))]
            var progresses: [ChunkProgress] = []
            for number in 0..<2 * endings.count {
                let first = DeviceOrdinal(4 * number + 1)
                try await accept(Int64(number + 1), to: Array(first..<first + 4), of: app, in: store)
                let leased = try #require(
                    try await store.lease(lane, at: start, claim, devices: 0, besides: [])?.items.first?.chunk
                )
                try #require(leased.id.message == MessageID(Int64(number + 1)))
                var progress = ChunkProgress(leased, cursor: 3, at: after(1))
                progress.sent = PlaceSet([0])
                progress.settled = PlaceSet([1])
                progress.undecided = [
                    ChunkProgress.Undecided(
                        places: [2],
                        ordinals: [first + 2],
                        dueAt: after(60),
                        attempt: 1,
                        problem: .retried("connection")
                    )
                ]
                progress.problem = .retried("timeout")
                progress.ending = endings[number % endings.count]
                progresses.append(progress)
            }
            for chunks in progresses.prefix(3).map({ [$0] }) + [Array(progresses.suffix(3))] {
                var checkpoint = Checkpoint(lane.destination)
                checkpoint.chunks = chunks
                let result = try await store.checkpoint(checkpoint, claim)
                #expect(result.findings.isEmpty)
            }
            var written: [[Chunk]] = [[], []]
            for number in 0..<2 * endings.count {
                let id = MessageID(Int64(number + 1))
                for place in 0..<4 {
                    let ordinal = DeviceOrdinal(4 * number + 1 + place)
                    var chunk = try #require(try await store.journey(of: id, to: ordinal)?.chunk)
                    // The two differ in these alone.
                    chunk.id.message = MessageID(0)
                    chunk.ordinals = OrdinalList([])
                    written[number / endings.count].append(chunk)
                }
            }
            #expect(written[0] == written[1])
            #expect(written[0].first?.sent == PlaceSet([0]))
            #expect(written[0].count { $0.isDone } == 4, "The places of the one that is done.")
        },
        Clause("What is told of a chunk is added to what is there, in whatever order it comes") { open, store, app in
            try await accept(1, to: [4, 5, 6], of: app, in: store)
            let leased = try #require(try await store.lease(at: start)).1
            for place in [2, 0] {
                var progress = ChunkProgress(leased, cursor: 0, at: after(1))
                progress.sent = PlaceSet([place])
                var checkpoint = Checkpoint(Destination(app: app.id, environment: .production))
                checkpoint.chunks = [progress]
                _ = try await store.checkpoint(checkpoint, LeaseClaim(owner: .onlyNode, expiresAt: after(60)))
            }
            try await store.releaseLeases()
            #expect(try await open().lease(at: start)?.1.rest == [5])
        },
    ]
}
