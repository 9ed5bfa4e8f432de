import Foundation
import Glibc
import PostgresClient
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@testable import PushStorePostgres

@Suite("Commits that were not answered", .suiteLimit)
struct UnknownCommitTests {
    private static let start = SharedStoreContract.start
    private static let lane = Lane(app: 1, environment: .production, .immediate)

    private static func push(_ id: Int64, chunks: [Range<DeviceOrdinal>] = [0..<1]) -> PreparedPush {
        let message = PushStoreContract.message(id, of: 1, at: start, timeToLive: 3600)
        let parts = chunks.enumerated().map { number, ordinals in
            PushStoreContract.chunk(message, number, Array(ordinals), at: start)
        }
        return PreparedPush(message: message, chunks: parts, isPaced: false)
    }

    /// Runs a test with a store whose statements have two seconds.
    private static func withHastyStore(_ body: (PostgresStore, PostgresPool) async throws -> Void) async throws {
        try await PostgresDatabase.with { usual in
            var configuration = usual.configuration
            configuration.limit = .seconds(2)
            let pool = PostgresPool(configuration, logger: silent)
            do {
                let store = PostgresStore(pool)
                _ = try await TestService.createApp("com.example.first", in: store, at: start)
                try await body(store, pool)
            } catch { Issue.record(error) }
            await pool.close()
        }
    }

    @Test("An accept, a group push and a schedule that were stored are answered as stored")
    func found() async throws {
        try await HeldCommits.run { place in
            let single = try await place.loseAnswer { try await $0.accept([Self.push(1)], cidsSince: .distantPast) }
            #expect(single == [nil])
            let message = MessageID(2)
            let group = GroupPush(
                id: "x",
                group: 7,
                cid: nil,
                acceptedAt: Self.start,
                answer: [:],
                messages: [1: message]
            )
            let earlier = try await place.loseAnswer {
                try await $0.accept(group, [Self.push(2)], cidsSince: .distantPast)
            }
            #expect(earlier == nil)
            #expect(try await place.store.groupPush("x", of: 7) == group)
            let json: JSONObject = [
                "name": "one", "enabled": true, "trigger": ["single": ["time": "2026-01-02 09:00:00"]],
                "push": ["platform": "all", "audience": "all", "notification": ["alert": "Hi"]],
            ]
            let record = ScheduleRecord(
                id: UUID(),
                app: 1,
                schedule: try Schedule(json),
                createdAt: Self.start,
                dueAt: Self.start.addingTimeInterval(60)
            )
            let creation = try await place.loseAnswer { try await $0.createSchedule(record, cid: nil, limit: 10) }
            #expect(creation == .created)
            #expect(try await place.store.schedules(of: 1, offset: 0, limit: 10).total == 1)
        }
    }

    @Test("A push that the server has received and not executed is not called failed, and is not stored later")
    func frozen() async throws {
        try await Self.withHastyStore { store, pool in
            // The only connection, so that the next accept has it.
            let process = try await pool.run { $0.process }
            try #require(kill(process, SIGSTOP) == 0)
            defer { kill(process, SIGCONT) }
            await #expect {
                _ = try await store.accept([Self.push(1)], cidsSince: .distantPast)
            } throws: { error in
                guard case StoreError.unknownOutcome = error else { return false }
                return true
            }
            kill(process, SIGCONT)
            try await eventually("the session has ended") {
                try await pool.run {
                    try $0.execute("SELECT 1 FROM pg_stat_activity WHERE pid = $1", .int32(process)).isEmpty
                }
            }
            #expect(try await !store.knowsMessage(MessageID(1), app: 1, since: .distantPast))
        }
    }

    @Test("Nothing of a transaction that has only read can be stored")
    func reads() async throws {
        try await Self.withHastyStore { store, _ in
            await #expect {
                try await store.query { session in
                    _ = try session.connection.execute("SELECT 1")
                    #expect(kill(session.connection.process, SIGSTOP) == 0)
                }
            } throws: { error in
                guard case StoreError.unavailable(let detail) = error else { return false }
                return detail.contains("has sent nothing")
            }
        }
    }

    @Test("The leases of a transaction that is not over are released after its end")
    func leases() async throws {
        try await HeldCommits.run { place in
            let owner = LeaseOwner(rawValue: 1)
            let claim = LeaseClaim(owner: owner, expiresAt: Self.start.addingTimeInterval(600))
            _ = try await place.store.accept([Self.push(1, chunks: [0..<3, 3..<6])], cidsSince: .distantPast)
            @Sendable func lease(in store: PostgresStore) async throws -> Lease? {
                try await store.lease(Self.lane, at: Self.start, claim, devices: 1, besides: [])
            }
            var first = try #require(try await lease(in: place.store))
            try #require(first.items.count == 1)
            try await place.store.releaseLeases(of: owner)
            // The same again, whose commit takes a while.
            first.items[0].chunk.fence += 1
            let attempt = DoubtfulLeases.Attempt()
            attempt.note(first)
            async let second = lease(in: place.waiting)
            try await eventually("the commit waits for the standby") {
                try await place.pool.run {
                    try !$0.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'").isEmpty
                }
            }
            place.store.doubtfulLeases.add(attempt, of: owner)
            async let waiting = place.store.waiting(for: owner, at: Self.start)
            try await eventually("the release waits for the commit") {
                try await place.pool.run {
                    try !$0.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").isEmpty
                }
            }
            #expect(try await place.cut())
            let lanes = try await waiting.map(\.lane)
            #expect(lanes == [Self.lane])
            do {
                _ = try await second
                Issue.record("The second lease was answered.")
            } catch StoreError.unknownOutcome {}
            let free = try await place.pool.run {
                try $0.execute("SELECT fence FROM chunk WHERE leaseOwner IS NULL ORDER BY number").map { $0.int64(0) }
            }
            #expect(free == [2, 0], "The second lease was committed, and released.")
        }
    }

    @Test("A change of a device that was reported as failed is read from the node's own log")
    func devices() async throws {
        try await HeldCommits.run { place in
            let app = try #require(try await place.store.apps().first)
            let ann = try await SharedStoreContract.device("ann", of: app, in: place.store)
            let ben = try await SharedStoreContract.device("ben", of: app, in: place.store)
            #expect(try await place.waiting.takeUnansweredPosition() == nil)
            try await place.loseOutcome { store in
                _ = try await store.updateDevices([ann.id.ordinal], of: 1, keepingTags: ["new"]) {
                    $0.tags = ["new"]
                }
            }
            try await place.loseOutcome { store in
                let deletion = Deletion(days: 1)
                let gone = try await store.deleteDevices(
                    [ben.id.ordinal],
                    of: 1,
                    unseenSince: .distantFuture,
                    deletion
                )
                #expect(gone.isEmpty, "Never returned.")
            }
            let position = try #require(try await place.waiting.takeUnansweredPosition())
            #expect(try await place.waiting.takeUnansweredPosition() == nil)
            let own = NodeID(rawValue: 1)
            let page = try await place.store.changes(after: [own: position], for: .nobody, limit: 100)
            var cursor = FeedCursor(reader: .nobody, from: [own: position])
            let read = cursor.advance(over: page)
            let work = try #require(read)
            #expect(work.devices.first { $0.id == ann.id }?.tags == ["new"])
            #expect(work.tags == [.kept(["new"], 1)])
            #expect(work.deleted == [1: [ben.id.ordinal]])
        }
    }

    @Test("A node applies what it was told has failed, if it was stored all the same")
    func applied() async throws {
        try await TestNodes.run(1, on: .postgres, isRunning: false) { nodes in
            let device = try await nodes.first.addDevice { $0.tags = ["old"] }
            let store = try #require(nodes.first.store as? PostgresStore)
            // Behind the back of the memory, as if the answer had been lost.
            _ = try await store.updateDevices([device.id.ordinal], of: 1, keepingTags: []) {
                $0.tags = ["new"]
            }
            let body = pushBody(audience: "{\"tag\":[\"new\"]}")
            let refusal = await #expect(throws: JPushError.self) { try await nodes.first.push(body) }
            #expect(refusal?.code == 1011)
            store.unanswered.note()
            _ = try await nodes.first.push(body)
            #expect(try await store.takeUnansweredPosition() == nil)
        }
    }

    @Test("Accepts with callbacks to the same address do not wait for each other")
    func callbacks() async throws {
        try await HeldCommits.run { place in
            func push(_ id: Int64) -> PreparedPush {
                var push = Self.push(id)
                push.callback = PushCallback(url: "https://example.com/\(id)", params: [:], kinds: [.succeeded])
                return push
            }
            _ = try await place.store.accept([push(1)], cidsSince: .distantPast)
            let second = push(2)
            async let held = place.waiting.accept([second], cidsSince: .distantPast)
            try await eventually("the commit waits for the standby") {
                try await place.pool.run {
                    try !$0.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'").isEmpty
                }
            }
            let other = PostgresStore(place.pool, node: 2)
            #expect(try await other.accept([push(3)], cidsSince: .distantPast) == [nil])
            #expect(try await place.cut())
            let results = try await held
            #expect(results == [nil])
        }
    }
}
