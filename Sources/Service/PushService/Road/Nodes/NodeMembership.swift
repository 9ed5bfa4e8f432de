package import PushClock
import Synchronization

/// The membership of this node: its lease, its roles, and whether it hands over its work.
package final class NodeMembership: Sendable {
    private struct State {
        var lease: NodeLease
        var leadership = Leadership()
        /// Whether an operator has asked the node to hand over its work.
        var isAskedToDrain = false
        /// Whether the process is about to stop.
        var isStopping = false
        /// Whether the node hands over its work before it stops.
        var isLeaving = false
        var aliveNodes = 1
        /// The time since which the number belongs to another process.
        var takenSince: Duration?

        var isDraining: Bool { isAskedToDrain || isLeaving }
    }

    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// Begins a membership that was requested at `time`. `elapsed` returns the time on the node's clock, which must not
    /// stand still while the process is stopped.
    package init(_ claim: NodeClaim, requestedAt time: Duration, elapsed: @escaping @Sendable () -> Duration) {
        self.elapsed = elapsed
        state = Mutex(State(lease: NodeLease(claim, requestedAt: time)))
    }

    /// The time on the node's clock.
    package var now: Duration { elapsed() }
    package var node: NodeID { claim.node }
    package var claim: NodeClaim { state.withLock(\.lease.claim) }
    /// Whether the node hands over its work: an operator has asked for it, or the node is about to stop.
    package var isDraining: Bool { state.withLock(\.isDraining) }
    /// Whether an operator has asked the node to hand over its work.
    var isAskedToDrain: Bool { state.withLock(\.isAskedToDrain) }
    /// The number of nodes at work, including this one.
    package var aliveNodes: Int { state.withLock(\.aliveNodes) }

    /// Whether the node may take up work: its lease is valid, and it does not hand its work over.
    package var mayWork: Bool {
        let now = now
        return state.withLock { $0.lease.isHeld(at: now) && !$0.isDraining }
    }

    package func leads(_ role: LeaderRole) -> Bool {
        let now = now
        return state.withLock { $0.leadership.leads(role, lease: $0.lease, at: now) }
    }

    // MARK: - Heartbeats

    var wantedRoles: Set<LeaderRole> { state.withLock(\.leadership.wanted) }

    var mayEndOthers: Bool {
        let now = now
        return state.withLock { $0.lease.mayEndOthers(at: now) }
    }

    /// Records a heartbeat.
    func renewed(requestedAt time: Duration, _ heartbeat: NodeHeartbeat) {
        state.withLock { state in
            state.lease.renew(requestedAt: time)
            state.aliveNodes = heartbeat.aliveNodes
            guard heartbeat.isDraining != state.isAskedToDrain else { return }
            state.isAskedToDrain = heartbeat.isDraining
            state.leadership.resign(state.isDraining)
        }
    }

    /// Records the roles of the node.
    ///
    /// - Returns: the new ones.
    func hold(_ roles: Set<LeaderRole>) -> Set<LeaderRole> { state.withLock { $0.leadership.hold(roles) } }

    /// Records that the membership is over.
    func lose() { state.withLock { $0.leadership.lose() } }

    /// Records that the number has a valid lease of another process, which may be one of this process that was not answered.
    ///
    /// - Returns: whether that has been so for a time.
    func isTaken(for time: Duration) -> Bool {
        let now = now
        return state.withLock { state in
            let since = state.takenSince ?? now
            state.takenSince = since
            return now - since >= time
        }
    }

    /// Records a new membership.
    func joined(_ claim: NodeClaim, requestedAt time: Duration) {
        state.withLock { state in
            state.takenSince = nil
            state.lease = NodeLease(claim, requestedAt: time)
            state.leadership.lose()
        }
    }

    /// Notes that the process is about to stop.
    package func beginStopping() { state.withLock { $0.isStopping = true } }

    /// Whether the process is about to stop and the lease has ended, most likely because the store does not answer. Others take over,
    /// and the process need not wait for the store.
    package var isStranded: Bool {
        let now = now
        return state.withLock { $0.isStopping && !$0.lease.isHeld(at: now) }
    }

    /// Gives up all roles and takes up no more work, as the node is about to stop.
    func beginLeaving() {
        state.withLock { state in
            state.isLeaving = true
            state.leadership.resign(true)
        }
    }
}

/// Lets one node do what must be done once for all.
package struct LeaderGate: Sendable {
    /// The time between two looks of a node that is not the leader.
    static let pause = NodeLease.beat

    private let membership: NodeMembership?
    private let role: LeaderRole

    /// Creates a gate for a node, or for a service that is alone.
    package init(_ role: LeaderRole, of membership: NodeMembership?) {
        self.role = role
        self.membership = membership
    }

    /// Whether this node has to do the work now.
    var isOpen: Bool { membership?.leads(role) ?? true }

    /// Runs `body` while this node has to do the work, each time anew, until the task is cancelled. A body that ends is run again
    /// after a second.
    package func whileOpen(_ clock: any CivilClock, _ body: @escaping @Sendable () async -> Void) async {
        guard membership != nil else { return await body() }
        while !Task.isCancelled {
            if isOpen {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await body() }
                    group.addTask { while isOpen, (try? await clock.sleep(for: Self.pause)) != nil {} }
                    await group.next()
                    group.cancelAll()
                }
            }
            // Cancelled means shutdown.
            try? await clock.sleep(for: Self.pause)
        }
    }

    /// The maximum time for which a leader may sleep; nil without other nodes, which could create work.
    var longestSleep: Duration? { membership == nil ? nil : Self.pause }
}

/// The roles of a node, as far as it knows.
package struct Leadership: Hashable, Sendable {
    private var roles: Set<LeaderRole> = []
    private var isResigned = false

    package init() {}

    /// The roles to ask for: none while the node hands over its work.
    package var wanted: Set<LeaderRole> { isResigned ? [] : Set(LeaderRole.allCases) }

    /// Records the answer of the store.
    ///
    /// - Returns: the roles that the node did not have before.
    package mutating func hold(_ held: Set<LeaderRole>) -> Set<LeaderRole> {
        guard !isResigned else { return [] }
        defer { roles = held }
        return held.subtracting(roles)
    }

    /// Records that the membership is over, and all roles with it.
    package mutating func lose() { roles = [] }

    /// Records whether the node hands over its work.
    package mutating func resign(_ isResigned: Bool) {
        self.isResigned = isResigned
        if isResigned { roles = [] }
    }

    /// Returns whether the node has a role now. A role is worth nothing without a valid lease.
    package func leads(_ role: LeaderRole, lease: NodeLease, at now: Duration) -> Bool {
        lease.isHeld(at: now) && roles.contains(role)
    }
}

/// The lease of a node, seen from the node itself.
///
/// Times are durations on the node's own clock, which must not stand still while the process is stopped. The lease counts from
/// before its renewal was requested, so for the node it always ends before the store lets another node take over.
package struct NodeLease: Hashable, Sendable {
    /// The duration of a lease. A node that hangs, or is cut off, is replaced after this time.
    package static let term = Duration.seconds(6)
    /// The time between heartbeats. Several may be lost within a lease.
    package static let beat = Duration.seconds(1)

    package private(set) var claim: NodeClaim
    /// The time at which the last successful renewal was requested.
    private var renewedAt: Duration
    /// The time since which no two renewals were a whole term apart.
    private var steadySince: Duration

    /// Creates the lease of a membership, by the time at which it was requested.
    package init(_ claim: NodeClaim, requestedAt time: Duration) {
        self.claim = claim
        renewedAt = time
        steadySince = time
    }

    /// The time at which the lease ends for the node.
    package var end: Duration { renewedAt + Self.term }

    /// Returns whether the node may work: begin steps, fire schedules, act as a leader.
    package func isHeld(at now: Duration) -> Bool { now < end }

    /// Records a renewal, by the time at which it was requested.
    package mutating func renew(requestedAt time: Duration) {
        if time >= end { steadySince = time }
        renewedAt = max(renewedAt, time)
    }

    /// Returns whether the node may end the memberships of others.
    ///
    /// After a time in which the store was away, all leases have expired. So a node must have renewed its own for a whole term
    /// without a gap, in which the others could do the same.
    package func mayEndOthers(at now: Duration) -> Bool { isHeld(at: now) && now - steadySince >= Self.term }
}
