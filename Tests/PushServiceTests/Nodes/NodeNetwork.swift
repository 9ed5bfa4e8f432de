import Foundation
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport

/// The network between nodes and their store: it can be cut, and it knows of the heartbeats.
final class NodeNetwork: Sendable {
    struct State {
        /// The nodes whose memberships, roles and links the store cannot be told, as without a network.
        var cut: Set<NodeID> = []
        /// When each running node has last sent a heartbeat, whether or not it was answered.
        var beats: [NodeID: Date] = [:]
        /// The number of heartbeats that were not answered yet.
        var pendingBeats = 0
        /// The memberships that other nodes have ended.
        var ended: Set<NodeClaim> = []
        /// The calls of `lookUp`.
        var lookups = 0
        /// Runs once, after the next page of the logs was read.
        var afterPage: (@Sendable () async throws -> Void)?
    }

    let state = Mutex(State())
    private let clock: any CivilClock

    init(clock: any CivilClock) { self.clock = clock }

    /// Runs `body` once, after the next page of the logs was read and before it reaches its node.
    func afterNextPage(_ body: @escaping @Sendable () async throws -> Void) { state.withLock { $0.afterPage = body } }

    /// Whether every running node has sent the heartbeats that were due by now.
    private var areBeatsUpToDate: Bool { !state.withLock(\.beats.keys).contains(where: isBeatDue) }

    /// Whether the node has been running for a heartbeat's interval without one; not for a node that was killed.
    func isBeatDue(_ node: NodeID) -> Bool {
        let now = clock.date
        return state.withLock {
            $0.beats[node].map { now.timeIntervalSince($0) >= NodeLease.beat / .seconds(1) } ?? false
        }
    }

    /// Waits for the heartbeats, as otherwise leases would expire on a busy machine. A heartbeat may be due a little later than a second
    /// after the last, so the wait for new ones is short.
    func settle() async {
        try? await eventually("the nodes have sent their heartbeats", within: .milliseconds(100)) { areBeatsUpToDate }
        try? await eventually("the heartbeats are answered", within: .seconds(10)) {
            state.withLock { $0.pendingBeats == 0 }
        }
    }

    fileprivate func check(_ node: NodeID) throws {
        if state.withLock({ $0.cut.contains(node) }) { throw StoreError.diskFailed("The network is down.") }
    }

    fileprivate func beat<Value>(_ node: NodeID, _ body: () async throws -> Value) async throws -> Value {
        let now = clock.date
        state.withLock { state in
            state.beats[node] = now
            state.pendingBeats += 1
        }
        defer { state.withLock { $0.pendingBeats -= 1 } }
        return try await body()
    }
}

/// A node's view of the shared store through the network.
struct NetworkedStore: SharedStore {
    let base: any SharedStore
    let network: NodeNetwork
    /// Brings the clock of the store up to date.
    let updateTime: @Sendable () async throws -> Void

    func join(_ node: NodeID, name: String, status: NodeStatus, for term: Duration) async throws -> NodeClaim {
        try network.check(node)
        try await updateTime()
        return try await base.join(node, name: name, status: status, for: term)
    }

    func renew(_ claim: NodeClaim, status: NodeStatus, for term: Duration) async throws -> NodeHeartbeat {
        try await network.beat(claim.node) {
            try network.check(claim.node)
            try await updateTime()
            return try await base.renew(claim, status: status, for: term)
        }
    }

    func leave(_ claim: NodeClaim) async throws {
        try network.check(claim.node)
        try await base.leave(claim)
    }

    func endExpired(by claim: NodeClaim) async throws -> [NodeClaim] {
        try network.check(claim.node)
        try await updateTime()
        let ended = try await base.endExpired(by: claim)
        network.state.withLock { $0.ended.formUnion(ended) }
        return ended
    }

    func nodes() async throws -> [NodeRecord] {
        try await updateTime()
        return try await base.nodes()
    }

    func setDraining(_ isDraining: Bool, _ node: NodeID) async throws -> Bool {
        try await base.setDraining(isDraining, node)
    }

    func lead(_ roles: Set<LeaderRole>, as claim: NodeClaim) async throws -> Set<LeaderRole> {
        try network.check(claim.node)
        return try await base.lead(roles, as: claim)
    }

    func resign(_ claim: NodeClaim) async throws { try await base.resign(claim) }

    func feedEnd() async throws -> FeedPositions { try await base.feedEnd() }

    func takeUnansweredPosition() async throws -> Int64? { try await base.takeUnansweredPosition() }

    func changes(after positions: FeedPositions, for reader: NodeID, limit: Int) async throws -> FeedPage {
        let page = try await base.changes(after: positions, for: reader, limit: limit)
        try await network.state.withLock { $0.afterPage.take() }?()
        return page
    }

    func deleteChanges(olderThan age: Duration, limit: Int) async throws -> Bool {
        try await updateTime()
        return try await base.deleteChanges(olderThan: age, limit: limit)
    }

    func lookUp(_ names: DeviceNames, of app: App.ID) async throws -> FoundDevices {
        network.state.withLock { $0.lookups += 1 }
        return try await base.lookUp(names, of: app)
    }

    func updateDevice(
        _ id: DeviceID,
        keepingTags tags: [String],
        claiming claim: AliasClaim,
        _ change: @escaping @Sendable (inout RegisteredDevice) throws -> Void
    ) async throws -> [RegisteredDevice] {
        try await base.updateDevice(id, keepingTags: tags, claiming: claim, change)
    }

    func enter(_ devices: [DeviceID], at claim: NodeClaim) async throws -> [DeviceID: Int64] {
        try network.check(claim.node)
        return try await base.enter(devices, at: claim)
    }

    func keep(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws -> Set<DeviceID> {
        try network.check(claim.node)
        return try await base.keep(links, at: claim)
    }

    func leave(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws {
        try network.check(claim.node)
        try await base.leave(links, at: claim)
    }

    func nodes(of devices: [DeviceID]) async throws -> [DeviceID: NodeID] { try await base.nodes(of: devices) }

    func mail(
        for node: NodeID,
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> NodeMail {
        try await base.mail(for: node, after: position, limit: limit, audiencesOf: apps)
    }

    func take(_ calls: Int, of limit: Int, for key: String) async throws -> RateShare {
        try await updateTime()
        return try await base.take(calls, of: limit, for: key)
    }

    func deleteWindows(limit: Int) async throws -> Bool {
        try await updateTime()
        return try await base.deleteWindows(limit: limit)
    }
}
