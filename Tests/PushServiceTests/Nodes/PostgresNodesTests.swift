import Foundation
import Logging
import PostgresClient
import PostgresTestSupport
import PushClock
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@testable import PushStorePostgres

@Suite("Nodes of a PostgreSQL database", .suiteLimit)
struct PostgresNodesTests {
    /// Runs a test with the stores of two nodes, under a clock that moves only when the test says so.
    private func withNodes(_ body: (SharedStoreContract.Fixture, PostgresPool) async throws -> Void) async throws {
        let url = try await PostgresDatabase.make()
        let control = try PostgresDatabase.pool(url)
        try await StoreTime.control(control, at: SharedStoreContract.start)
        let stores = try (1...2).map { PostgresStore(try PostgresDatabase.pool(url), node: $0) }
        let pool = try PostgresDatabase.pool(url)
        let fixture = SharedStoreContract.Fixture(
            data: stores,
            shared: stores,
            term: NodeLease.term,
            letTermPass: { try await StoreTime.advance(pool, by: NodeLease.term) }
        )
        do { try await body(fixture, pool) } catch { Issue.record(error) }
        for store in stores { await store.close() }
        await pool.close()
        await control.close()
    }

    @Test("Keeps the contract of shared stores", arguments: SharedStoreContract.clauses)
    func contract(_ clause: SharedStoreContract.Clause) async throws {
        try await withNodes { fixture, _ in try await clause.check(fixture) }
    }

    @Test("Leases of chunks end with the membership, and none is given under its fencing number")
    func leases() async throws {
        try await withNodes { fixture, _ in
            let claims = [
                try await SharedStoreContract.join(SharedStoreContract.first, fixture),
                try await SharedStoreContract.join(SharedStoreContract.second, fixture),
            ]
            let app = try await SharedStoreContract.app(fixture)
            let device = try await SharedStoreContract.device("ann", of: app, in: fixture.data[0])
            try await accept(for: device.id, in: fixture.data[0])
            let now = SharedStoreContract.start.addingTimeInterval(1)
            let until = now.addingTimeInterval(600)
            func lease(_ number: Int) async throws -> Lease? {
                let lane = try #require(
                    try await fixture.data[0].waiting(for: claims[number].owner, at: now).first?.lane
                )
                let claim = LeaseClaim(owner: claims[number].owner, expiresAt: until)
                return try await fixture.data[number].lease(lane, at: now, claim, devices: 10, besides: [])
            }
            let first = try await lease(1)
            #expect(first?.items.count == 1)
            try await fixture.letTermPass()
            _ = try await fixture.shared[0].renew(claims[0], status: NodeStatus(), for: fixture.term)
            let ended = try await fixture.shared[0].endExpired(by: claims[0])
            #expect(ended == [claims[1]])
            let late = try await lease(1)
            #expect(late == nil, "The membership is over.")
            let next = try await lease(0)
            #expect(next?.items.map(\.message.id) == first?.items.map(\.message.id))
        }
    }

    private func accept(for device: DeviceID, in store: any PushStore) async throws {
        let message = PushStoreContract.message(1, of: device.app)
        let chunk = PushStoreContract.chunk(message, 0, [device.ordinal])
        let push = PreparedPush(message: message, chunks: [chunk], isPaced: false)
        _ = try await store.accept([push], cidsSince: .distantPast)
    }

    @Test("Every kind of change is in the log of the node that makes it")
    func kinds() async throws {
        try await withNodes { fixture, _ in
            let store = fixture.data[0]
            let reader = SharedStoreContract.second
            let before = try await fixture.shared[1].feedEnd()
            var app = try await SharedStoreContract.app(fixture)
            let device = try await SharedStoreContract.device("ann", of: app, in: store)
            _ = try await store.updateDevices([device.id.ordinal], of: app.id, keepingTags: ["kept"]) { _ in }
            try await store.forgetTag("kept", of: app.id)
            try await store.add(.key(of: app.id))
            app.defaultEnvironment = .development
            try await store.setEnvironment(.development, of: app.id)
            try await accept(for: device.id, in: store)
            _ = try await store.withdraw(MessageID(1), of: app.id, since: .distantPast, at: SharedStoreContract.start)
            let id = try #require(RegistrationID("1a0018970a1b2c3d4e5"))
            let row = DeviceImport(registrationID: id, token: DeviceToken(bytes: [UInt8](repeating: 9, count: 32)))
            let imported = try await store.importDevices(
                [(row, nil)],
                of: app.id,
                environment: .production,
                installation: "file",
                seenAt: SharedStoreContract.start
            )
            let new = try #require(imported.devices.first)
            let page = try await fixture.shared[1].changes(after: before, for: reader, limit: 100)
            #expect(
                page.entries.map(\.change) == [
                    .apps, .device(device.audienceEntry), .tagsKept(["kept"], app.id), .tagForgotten("kept", app.id),
                    .credentials(app.id), .apps, .withdrawn(MessageID(1)), .device(new.audienceEntry),
                    .importedIDs([ImportedID(id: id, device: new.id, isName: true)]),
                ]
            )
            #expect(page.entries.map(\.position) == Array(1...9))
            let own = try await fixture.shared[0].changes(after: before, for: SharedStoreContract.first, limit: 100)
            #expect(own.entries.isEmpty)
            let found = try await fixture.shared[1].lookUp(DeviceNames(importedIDs: [id]), of: app.id)
            #expect(found.devices == [new.audienceEntry])
            #expect(found.importedIDs.map(\.id) == [id])
        }
    }

    @Test("Old entries are deleted from the beginning of each log, and who has not read them is told")
    func deletion() async throws {
        try await withNodes { fixture, pool in
            let reader = NodeID(rawValue: 3)
            let app = try await SharedStoreContract.app(fixture)
            let start = try await fixture.shared[0].feedEnd()
            for number in 0..<4 {
                _ = try await SharedStoreContract.device("\(number)", of: app, in: fixture.data[number % 2])
            }
            try await StoreTime.advance(pool, by: .seconds(3600))
            _ = try await SharedStoreContract.device("young", of: app, in: fixture.data[0])
            let age = try await fixture.shared[0].changes(after: start, for: reader, limit: 100).age
            #expect(age == 3_600_000)
            // Two of each node, and the app.
            var hasMore = try await fixture.shared[0].deleteChanges(olderThan: .seconds(60), limit: 4)
            #expect(hasMore)
            hasMore = try await fixture.shared[0].deleteChanges(olderThan: .seconds(60), limit: 4)
            #expect(!hasMore)
            let late = try await fixture.shared[0].changes(after: start, for: reader, limit: 100)
            #expect(late.isTruncated)
            let end = try await fixture.shared[0].feedEnd()
            let before: FeedPositions = [
                SharedStoreContract.first: try #require(end[SharedStoreContract.first]) - 1,
                SharedStoreContract.second: try #require(end[SharedStoreContract.second]),
            ]
            let rest = try await fixture.shared[0].changes(after: before, for: reader, limit: 100)
            #expect(!rest.isTruncated)
            #expect(rest.entries.count == 1)
            #expect(rest.through == end)
        }
    }

    @Test("Positions follow the order of commits: a reader that looks all the time misses nothing")
    func order() async throws {
        try await withNodes { fixture, _ in
            let app = try await SharedStoreContract.app(fixture)
            let reader = NodeID(rawValue: 3)
            var cursor = FeedCursor(reader: reader, from: try await fixture.shared[0].feedEnd())
            let writers = 6
            let perWriter = 15
            var found: Set<DeviceID> = []
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for number in 0..<perWriter {
                            _ = try await SharedStoreContract.device(
                                "\(writer) \(number)",
                                of: app,
                                in: fixture.data[writer % 2]
                            )
                        }
                    }
                }
                var ended = 0
                while ended < writers {
                    try await group.next()
                    ended += 1
                    // While the others write.
                    let page = try await fixture.shared[0].changes(after: cursor.positions, for: reader, limit: 7)
                    found.formUnion(cursor.advance(over: page)?.devices.map(\.id) ?? [])
                }
            }
            var hasMore = true
            while hasMore {
                let page = try await fixture.shared[0].changes(after: cursor.positions, for: reader, limit: 7)
                found.formUnion(cursor.advance(over: page)?.devices.map(\.id) ?? [])
                hasMore = page.hasMore
            }
            #expect(found.count == writers * perWriter)
        }
    }

    @Test("A window begins with its first call and begins again when it is over")
    func windows() async throws {
        try await withNodes { fixture, pool in
            let first = try await fixture.shared[0].take(7, of: 10, for: "app")
            #expect(first.calls == 7)
            #expect(first.ends == .seconds(60))
            try await StoreTime.advance(pool, by: .seconds(59))
            let second = try await fixture.shared[1].take(7, of: 10, for: "app")
            #expect(second.calls == 3)
            #expect(second.ends == .seconds(1))
            try await StoreTime.advance(pool, by: .seconds(1))
            let third = try await fixture.shared[1].take(7, of: 10, for: "app")
            #expect(third.calls == 7)
            #expect(third.window != second.window)
        }
    }
}

@Suite("The bell of PostgreSQL", .suiteLimit)
struct PostgresBellTests {
    /// Waits for rings until topics were heard.
    private func hear(_ topics: BellTopics, at bell: PostgresBell) async throws {
        var heard: BellTopics = []
        try await eventually("\(topics.rawValue) is heard") {
            heard.formUnion(await bell.wait())
            return heard.isSuperset(of: topics)
        }
    }

    @Test("A node hears the others, not itself, and hears everything when it begins to listen")
    func rings() async throws {
        let url = try await PostgresDatabase.make()
        let clock = VirtualClock()
        let bells = try (1...2).map { node in
            PostgresBell(
                try PostgresConfiguration(url: url),
                node: NodeID(rawValue: node),
                clock: clock,
                logger: silent
            )
        }
        for bell in bells { try await hear(.all, at: bell) }
        try await bells[0].ring([.feed, .pushes])
        try await bells[1].ring(.messages)
        let first = await bells[0].wait()
        let second = await bells[1].wait()
        #expect(first == .messages)
        #expect(second == [.feed, .pushes])
        for bell in bells { await bell.close() }
        await #expect(throws: StoreError.self) { try await bells[0].ring(.feed) }
    }

    @Test("A wait ends after a second without a ring")
    func silence() async throws {
        let clock = VirtualClock()
        let configuration = try PostgresConfiguration(url: try await PostgresDatabase.make())
        let bell = PostgresBell(configuration, node: NodeID(rawValue: 1), clock: clock, logger: silent)
        try await hear(.all, at: bell)
        async let topics = bell.wait()
        try await eventually("it waits") { clock.nextDeadline != nil }
        await clock.advance(by: .seconds(1))
        #expect(await topics == [])
        await bell.close()
    }

    @Test("After the server was away everything is heard, as rings may have been lost")
    func reconnects() async throws {
        let server = try PostgresServer()
        let configuration = try PostgresConfiguration(url: server.url())
        let clock = VirtualClock()
        let bell = PostgresBell(configuration, node: NodeID(rawValue: 1), clock: clock, logger: silent)
        try await hear(.all, at: bell)
        try server.control("-m immediate stop")
        try await eventually("the loss is noticed") {
            do {
                try await bell.ring(.feed)
                return false
            } catch { return true }
        }
        try server.control("start")
        try await hear(.all, at: bell)
        try await bell.ring(.feed)
        await bell.close()
    }

    @Test(
        "A notification in another form may mean anything",
        arguments: [
            ("1 5", []), ("2 5", [.feed, .pushes]), ("2 255", .all), ("2", .all), ("", .all), ("2 x", .all),
            ("2 5 1", .all),
        ] as [(String, BellTopics)]
    )
    func forms(text: String, topics: BellTopics) {
        #expect(PostgresBell.topics(text, besides: NodeID(rawValue: 1)) == topics)
    }
}
