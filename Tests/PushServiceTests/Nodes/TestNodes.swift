import Foundation
import Logging
import PostgresTestSupport
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import Synchronization
import TestSupport
import Testing

/// A logger for nobody.
let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Services that are nodes of one store, under virtual time.
struct TestNodes {
    let clock: VirtualClock
    let network: NodeNetwork
    /// The store as the first node sees it.
    let shared: any SharedStore
    /// The address of the database; nil in memory.
    let url: String?
    /// The nodes, by number from 0; each has a sender of its own.
    let services: [TestService]
    /// Whether the nodes hear of each other; otherwise, their heartbeats are sent here.
    private let isRunning: Bool
    private let kills: [Announcement<Void>]
    private let ends: [Announcement<Void>]

    var first: TestService { services[0] }
    var second: TestService { services[1] }

    /// Runs nodes while `body` runs.
    ///
    /// - Parameters:
    ///   - count: the number of nodes.
    ///   - kind: the store.
    ///   - server: the PostgreSQL server; nil for the one that all tests share.
    ///   - wrongBy: the difference of the last node's clock from the store's.
    ///   - isDeaf: whether all rings are lost.
    ///   - isRunning: whether the nodes hear of each other at all; without it only lookups find what others have done.
    ///   - body: the test.
    /// - Throws: the error of the beginning; that of the test is recorded.
    static func run(
        _ count: Int = 2,
        on kind: NodeStores.Kind = .memory,
        server: PostgresServer? = nil,
        wrongBy: Duration = .zero,
        isDeaf: Bool = false,
        isRunning: Bool = true,
        _ body: (TestNodes) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let stores =
                switch kind {
                case .memory: try NodeStores.memory(in: folder, clock: clock, isDeaf: isDeaf)
                case .postgres:
                    try await NodeStores.postgres(
                        in: folder,
                        clock: clock,
                        nodes: count,
                        isDeaf: isDeaf,
                        server: server
                    )
                }
            do {
                let nodes = try await make(count, stores, clock: clock, wrongBy: wrongBy, isRunning: isRunning)
                await nodes.whileRunning { try await body(nodes) }
            } catch { Issue.record(error) }
            await stores.close()
        }
    }

    private static func make(
        _ count: Int,
        _ stores: NodeStores,
        clock: VirtualClock,
        wrongBy: Duration,
        isRunning: Bool
    ) async throws -> TestNodes {
        let network = NodeNetwork(clock: clock)
        let places = try (1...Int16(count)).map { number in
            var place = try stores.place(number)
            place.shared = NetworkedStore(base: place.shared, network: network, updateTime: stores.updateTime)
            return place
        }
        let app = try await TestService.createApp("com.example.first", in: places[0].data, at: clock.date).app
        var services: [TestService] = []
        for (index, place) in places.enumerated() {
            let sender = ScriptedSender()
            let own = SetClock(clock)
            if index + 1 == count { own.set(by: wrongBy) }
            let core = try await core(NodeID(rawValue: Int16(index + 1)), place, sender, clock: own)
            services.append(
                TestService(
                    folder: stores.folder,
                    clock: clock,
                    store: place.data,
                    sender: sender,
                    seen: Recorder(),
                    core: core,
                    app: app
                )
            )
        }
        return TestNodes(
            clock: clock,
            network: network,
            shared: places[0].shared,
            url: stores.url,
            services: services,
            isRunning: isRunning,
            kills: services.map { _ in Announcement<Void>() },
            ends: services.map { _ in Announcement<Void>() }
        )
    }

    /// Runs with a store that nodes share.
    static func withShared(_ body: (NodesInMemory, VirtualClock) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let store = try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
            try await body(NodesInMemory(store, in: folder, clock: clock), clock)
        }
    }

    private static func core(
        _ node: NodeID,
        _ place: NodeStores.Place,
        _ sender: ScriptedSender,
        clock: any CivilClock
    ) async throws -> ServiceCore {
        var ports = ServicePorts.scripted(place.data, sender, clock)
        ports.node = try await NodeContext(
            joining: node,
            name: "node\(node)",
            version: "test",
            store: place.shared,
            bell: place.bell,
            clock: clock,
            logger: silent
        )
        return try await ServiceCore(ports)
    }

    /// Waits for a push that is being sent, and returns the number of the service that sends it.
    func sender() async throws -> Int {
        try await eventual("a node sends") { services.firstIndex { !$0.sender.sent.elements.isEmpty } }
    }

    /// Ends everything in a node at once, as `kill -9` does, and returns when it has ended.
    func kill(_ number: Int) async throws {
        kills[number].make(.success(()))
        try await event("the node has ended") { try await ends[number].value }
        network.state.withLock { $0.beats[NodeID(rawValue: Int16(number + 1))] = nil }
    }

    private func whileRunning(_ body: () async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for number in services.indices {
                group.addTask {
                    await run(services[number].core, until: kills[number])
                    ends[number].make(.success(()))
                }
            }
            do { try await body() } catch { Issue.record(error) }
            group.cancelAll()
        }
    }

    private func run(_ core: ServiceCore, until kill: Announcement<Void>) async {
        await withThrowingTaskGroup(of: Void.self) { group in
            if isRunning, let node = core.node { group.addTask { try await node.run() } }
            group.addTask { try await core.dispatcher.run() }
            group.addTask { try await core.journeyLog.run() }
            group.addTask { try await core.links.run() }
            group.addTask { try await core.scheduleRunner.run() }
            _ = try? await kill.value
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { Issue.record(error) }
            }
        }
    }

    /// Lets time pass until `end`, or the task is cancelled.
    ///
    /// Time waits for the heartbeats.
    func letTimePass(until end: VirtualClock.Instant? = nil) async {
        await clock.skipPauses(upTo: .seconds(1), until: end) {
            if !isRunning { await sendHeartbeats() }
            await network.settle()
        }
    }

    /// Sends the heartbeats that are due, without which a node may not work.
    private func sendHeartbeats() async {
        for node in services.compactMap(\.core.node) where network.isBeatDue(node.membership.node) {
            do { try await node.beatOnce() } catch { Issue.record(error) }
        }
    }

    /// Lets time pass, a second at most for each look at the clock, while `body` runs.
    func whileTimePasses<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                await letTimePass()
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }
}
