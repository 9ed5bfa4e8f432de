import Foundation
import PostgresClient
import PushClock
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@testable import PushStorePostgres

@Suite("A lane of several nodes", .suiteLimit)
struct SharedLaneTests {
    private static let start = SharedStoreContract.start
    private static let lane = Lane(app: 1, environment: .production, .bulk)
    private let owners = (0...3).map { LeaseOwner(rawValue: $0) }

    /// Runs a test with a store that has one app.
    private func withStore(_ body: (PostgresStore) async throws -> Void) async throws {
        try await PostgresDatabase.with { pool in
            let store = PostgresStore(pool)
            _ = try await TestService.createApp("com.example.first", in: store, at: Self.start)
            try await body(store)
        }
    }

    /// Accepts a message.
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - chunks: the devices of each chunk.
    ///   - interval: the seconds between the due dates of two chunks.
    ///   - store: the store.
    /// - Throws: an error of the store.
    private func accept(
        _ id: Int64,
        _ chunks: [Range<DeviceOrdinal>],
        every interval: TimeInterval = 0,
        in store: PostgresStore
    ) async throws {
        let date = Self.start.addingTimeInterval(Double(id))
        var message = PushStoreContract.message(id, of: 1, at: date, timeToLive: 3600)
        message.delivery = .bulk
        let push = PreparedPush(
            message: message,
            chunks: chunks.enumerated().map { number, ordinals in
                let due = date.addingTimeInterval(interval * Double(number))
                return PushStoreContract.chunk(message, number, Array(ordinals), at: due)
            },
            isPaced: false
        )
        _ = try await store.accept([push], cidsSince: .distantPast)
    }

    private let now = Self.start.addingTimeInterval(60)

    private func takeLease(
        _ owner: Int,
        besides underWay: [Range<DeviceOrdinal>] = [],
        in store: PostgresStore
    ) async throws -> Lease? {
        try await store.lease(
            Self.lane,
            at: now,
            LeaseClaim(owner: owners[owner], expiresAt: now.addingTimeInterval(120)),
            devices: LanePlan.stepSize,
            besides: underWay.map { OrdinalList(Array($0)) }
        )
    }

    /// Leases for an owner, and returns message and chunk of each item.
    private func lease(
        _ owner: Int,
        besides underWay: [Range<DeviceOrdinal>] = [],
        in store: PostgresStore
    ) async throws -> [[Int64]] {
        let lease = try await takeLease(owner, besides: underWay, in: store)
        return (lease?.items ?? []).map { [$0.message.id.number, Int64($0.chunk.id.number)] }
    }

    @Test("A lease that was committed without an answer is released when its owner looks for work, a later one is not")
    func doubtfulLeases() async throws {
        try await withStore { store in
            try await accept(1, [0..<10], in: store)
            let unanswered = DoubtfulLeases.Attempt()
            unanswered.note(try await takeLease(1, in: store))
            var waiting = try await store.waiting(for: owners[1], at: now)
            #expect(waiting.isEmpty)
            store.doubtfulLeases.add(unanswered, of: owners[1])
            waiting = try await store.waiting(for: owners[1], at: now)
            #expect(waiting.map(\.lane) == [Self.lane])
            let leased = try await lease(1, in: store)
            #expect(leased == [[1, 0]])
            store.doubtfulLeases.add(unanswered, of: owners[1])
            waiting = try await store.waiting(for: owners[1], at: now)
            #expect(waiting.isEmpty)
        }
    }

    @Test("Others join while more than a step waits, and each device has its pushes in order")
    func joins() async throws {
        try await withStore { store in
            try await accept(1, [0..<600, 600..<1200, 1200..<1800], in: store)
            try await accept(2, [5..<6], in: store)
            try await accept(3, [2000..<2001], in: store)
            var leased = try await lease(1, in: store)
            #expect(leased == [[1, 0]])
            let waiting = try await store.waiting(for: owners[2], at: now)
            #expect(waiting.map(\.lane) == [Self.lane])
            #expect(waiting.map(\.isShared) == [true])
            leased = try await lease(2, in: store)
            #expect(leased == [[1, 1]])
            leased = try await lease(2, besides: [600..<1200], in: store)
            #expect(leased == [[1, 2]])
            // A step or less is left to those who are there.
            let late = try await store.waiting(for: owners[3], at: now)
            #expect(late.isEmpty)
            leased = try await lease(3, in: store)
            #expect(leased.isEmpty)
            leased = try await lease(2, besides: [600..<1800], in: store)
            #expect(leased == [[3, 0]], "The first owner has another push to device 5 under way.")
            try await store.releaseLeases(of: owners[1])
            leased = try await lease(1, in: store)
            #expect(leased == [[1, 0]])
        }
    }

    @Test("A push that is spread over time is not divided")
    func slow() async throws {
        try await withStore { store in
            try await accept(1, [0..<600, 600..<1200, 1200..<1800], every: 1, in: store)
            var leased = try await lease(1, in: store)
            #expect(leased == [[1, 0]])
            leased = try await lease(2, in: store)
            #expect(leased.isEmpty)
            leased = try await lease(1, besides: [0..<600], in: store)
            #expect(leased == [[1, 1]])
        }
    }

    @Test("Nobody joins until a push was accepted after a pause")
    func pause() async throws {
        try await withStore { store in
            try await accept(1, [0..<600, 600..<1200, 1200..<1800], in: store)
            var checkpoint = Checkpoint(Self.lane.destination)
            checkpoint.pause = Pause(reason: .noCredential, detail: "none", until: now.addingTimeInterval(-1))
            let claim = LeaseClaim(owner: owners[1], expiresAt: now.addingTimeInterval(120))
            _ = try await store.checkpoint(checkpoint, claim)
            let first = try await lease(1, in: store)
            #expect(first == [[1, 0]])
            let waiting = try await store.waiting(for: owners[2], at: now)
            #expect(waiting.isEmpty)
            var second = try await lease(2, in: store)
            #expect(second.isEmpty)
            try await store.resume(Destination(app: 1, environment: .production))
            second = try await lease(2, in: store)
            #expect(second == [[1, 1]])
        }
    }

    @Test("Two nodes send a broadcast together, to each device once")
    func broadcast() async throws {
        try await TestNodes.run(on: .postgres) { nodes in
            // Both answer only when both have begun.
            let begun = nodes.services.map { _ in Gate() }
            for (number, service) in nodes.services.enumerated() {
                service.sender.answer { _ in
                    begun[number].open()
                    await begun[1 - number].pass()
                    return SendOutcome(.sent)
                }
            }
            let rows = (0..<9000).map { number in
                let bytes = unsafe withUnsafeBytes(of: Int64(number)) { unsafe Array($0) }
                return DeviceImport(token: DeviceToken(bytes: bytes + [UInt8](repeating: 1, count: 24)))
            }
            for start in stride(from: 0, to: rows.count, by: DeviceImporter.limit) {
                let part = rows[start..<min(start + DeviceImporter.limit, rows.count)]
                let result = try await nodes.first.store.importDevices(
                    part.map { (row: $0, own: nil) },
                    of: nodes.first.app.id,
                    environment: .production,
                    installation: UUID().uuidString,
                    seenAt: nodes.clock.date
                )
                nodes.first.core.registry.apply(result.devices)
            }
            let result = try await nodes.first.push(pushBody())
            try await nodes.whileTimePasses {
                try await eventually("9000 pushes are sent", within: .seconds(120)) {
                    try await nodes.first.core.reports.counts(of: [result.messageID], app: nodes.first.app.id)[
                        result.messageID
                    ]?.sent == 9000
                }
            }
            let sent = nodes.services.map { $0.sender.sent.elements.map(\.push.id) }
            #expect(sent.allSatisfy { !$0.isEmpty })
            #expect(sent.reduce(0) { $0 + $1.count } == 9000)
            #expect(Set(sent.joined()).count == 9000)
        }
    }
}
