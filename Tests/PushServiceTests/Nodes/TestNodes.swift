import Foundation
import Logging
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
    let shared: NodesInMemory
    /// The nodes, by number from 0; each has a sender of its own.
    let services: [TestService]
    private let kills: [Announcement<Void>]
    private let ends: [Announcement<Void>]

    var first: TestService { services[0] }
    var second: TestService { services[1] }

    /// Runs nodes while `body` runs.
    ///
    /// - Parameters:
    ///   - count: the number of nodes.
    ///   - wrongBy: the difference of the last node's clock from the store's.
    ///   - isDeaf: whether all rings are lost.
    ///   - isRunning: whether the nodes hear of each other at all; without it only lookups find what others have done.
    ///   - body: the test.
    /// - Throws: the error of the beginning; that of the test is recorded.
    static func run(
        _ count: Int = 2,
        wrongBy: Duration = .zero,
        isDeaf: Bool = false,
        isRunning: Bool = true,
        _ body: (TestNodes) async throws -> Void
    ) async throws {
        try await withShared { shared, clock in
            let app = try await TestService.createApp("com.example.first", in: shared.store, at: clock.date).app
            let tower = BellInMemory(clock: clock, isDeaf: isDeaf)
            var services: [TestService] = []
            for number in 1...Int16(count) {
                let sender = ScriptedSender()
                let own = SetClock(clock)
                if number == count { own.set(by: wrongBy) }
                let core = try await core(NodeID(rawValue: number), shared, tower.makeEnd(), sender, clock: own)
                services.append(
                    TestService(
                        folder: shared.folder,
                        clock: clock,
                        store: shared.store,
                        sender: sender,
                        seen: Recorder(),
                        core: core,
                        app: app
                    )
                )
            }
            let kills = services.map { _ in Announcement<Void>() }
            let ends = services.map { _ in Announcement<Void>() }
            let nodes = TestNodes(clock: clock, shared: shared, services: services, kills: kills, ends: ends)
            await nodes.whileRunning(isRunning) { try await body(nodes) }
        }
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
        _ shared: NodesInMemory,
        _ bell: any Bell,
        _ sender: ScriptedSender,
        clock: any CivilClock
    ) async throws -> ServiceCore {
        try await ServiceCore(
            store: shared.store,
            keys: testKeys,
            sender: sender,
            clock: clock,
            certificates: NoCertificates(),
            node: NodeContext(
                joining: node,
                name: "node\(node)",
                version: "test",
                store: shared,
                bell: bell,
                clock: clock,
                logger: silent
            ),
            random: { 1 },
            logger: silent
        )
    }

    /// Waits for a push that is being sent, and returns the number of the service that sends it.
    func sender() async throws -> Int {
        try await eventual("a node sends") { services.firstIndex { !$0.sender.sent.elements.isEmpty } }
    }

    /// Ends everything in a node at once, as `kill -9` does, and returns when it has ended.
    func kill(_ number: Int) async throws {
        kills[number].make(.success(()))
        try await event("the node has ended") { try await ends[number].value }
        shared.state.withLock { $0.beats[NodeID(rawValue: Int16(number + 1))] = nil }
    }

    private func whileRunning(_ isRunning: Bool, _ body: () async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for number in services.indices {
                group.addTask {
                    await run(services[number].core, isRunning, until: kills[number])
                    ends[number].make(.success(()))
                }
            }
            do { try await body() } catch { Issue.record(error) }
            group.cancelAll()
        }
    }

    private func run(_ core: ServiceCore, _ isRunning: Bool, until kill: Announcement<Void>) async {
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
    /// Time waits for the heartbeats, as otherwise leases would expire on a busy machine: but not for long, as a heartbeat may be due
    /// a little later than a second after the last.
    func letTimePass(until end: VirtualClock.Instant? = nil) async {
        await clock.skipPauses(upTo: .seconds(1), until: end) {
            try? await eventually("the nodes have sent their heartbeats", within: .milliseconds(100)) {
                shared.areBeatsUpToDate
            }
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
