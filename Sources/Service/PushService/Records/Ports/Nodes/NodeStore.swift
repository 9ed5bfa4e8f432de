package import Foundation

/// One membership of a node: from joining to leaving, or to the loss of its lease.
///
/// The fencing number of a node grows with every membership, so that work begun under an earlier one can be told apart.
package struct NodeClaim: Hashable, Sendable {
    package var node: NodeID
    /// The fencing number, from 1; less than 2⁴⁸.
    package var fence: Int64

    package init(node: NodeID, fence: Int64) {
        self.node = node
        self.fence = fence
    }

    /// The owner of the membership's leases: the node in the upper 16 bits, the fencing number in the lower 48.
    package var owner: LeaseOwner { LeaseOwner(rawValue: Int64(node.rawValue) << 48 | fence) }

    /// Returns the membership that owns leases; nil for the owner of a service that is alone.
    package init?(owner: LeaseOwner) {
        let node = owner.rawValue >> 48
        guard node > 0 else { return nil }
        self.init(node: NodeID(rawValue: Int16(node)), fence: owner.rawValue & (1 << 48 - 1))
    }
}

/// The state that a node reports with each heartbeat.
package struct NodeStatus: Hashable, Sendable {
    /// The version of Posthorn.
    package var version: String
    /// The number of open SDK links.
    package var links: Int
    /// The number of lanes at work.
    package var lanes: Int
    /// The age of the oldest change by another node that the registry lacks, in milliseconds; 0 if it lacks none.
    package var lag: Int

    package init(version: String = "", links: Int = 0, lanes: Int = 0, lag: Int = 0) {
        self.version = version
        self.links = links
        self.lanes = lanes
        self.lag = lag
    }
}

/// A node as other nodes and operators see it.
package struct NodeRecord: Hashable, Sendable {
    package var claim: NodeClaim
    /// The name for operators, usually that of the host.
    package var name: String
    package var status: NodeStatus
    /// Whether the lease is valid by the clock of the store.
    package var isAlive: Bool
    /// Whether an operator has asked the node to hand over its work.
    package var isDraining: Bool

    package init(claim: NodeClaim, name: String, status: NodeStatus, isAlive: Bool, isDraining: Bool) {
        self.claim = claim
        self.name = name
        self.status = status
        self.isAlive = isAlive
        self.isDraining = isDraining
    }
}

/// The answer to a heartbeat.
package struct NodeHeartbeat: Hashable, Sendable {
    /// Whether an operator has asked the node to hand over its work.
    package var isDraining: Bool
    /// The number of nodes with a valid lease, including this one; at least 1.
    package var aliveNodes: Int
    /// The date by the clock of the store (in PostgreSQL `clock_timestamp()`).
    package var date: Date

    package init(isDraining: Bool, aliveNodes: Int, date: Date) {
        self.isDraining = isDraining
        self.aliveNodes = aliveNodes
        self.date = date
    }
}

/// The reason why a node may not go on.
package enum NodeError: Error, Hashable {
    /// Another process holds the node's number with a valid lease.
    case taken(NodeID)
    /// The membership is over: its lease expired, and another node has taken its work, or the number was joined again.
    case fenced(NodeClaim)
}

extension NodeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .taken(let node):
            """
            Node \(node) is running already. Give each node a number of its own ('node'), or wait until the lease of the other \
            process has expired.
            """
        case .fenced(let claim):
            "Node \(claim.node) was away for longer than its lease; others have taken over its work. It joins again."
        }
    }
}

/// The nodes of a store and their leases.
///
/// All leases are measured by the clock of the store, never by that of a node, so a node with a wrong clock neither loses its lease
/// nor takes that of another. Each method is one transaction.
package protocol NodeStore: Sendable {
    /// Begins a membership with a new fencing number, greater than all earlier ones of the node, and a lease of `term`.
    /// Releases the lanes, roles and links of earlier memberships of the node.
    ///
    /// - Throws: ``NodeError/taken(_:)`` if the number has a valid lease.
    func join(_ node: NodeID, name: String, status: NodeStatus, for term: Duration) async throws -> NodeClaim
    /// Extends the lease to `term` from now, also if it has expired but was not ended by another node.
    ///
    /// - Throws: ``NodeError/fenced(_:)`` if the membership is over.
    func renew(_ claim: NodeClaim, status: NodeStatus, for term: Duration) async throws -> NodeHeartbeat
    /// Ends a membership and releases what it held. Does nothing if it is over.
    func leave(_ claim: NodeClaim) async throws
    /// Ends memberships whose lease has expired, releases what they held, and returns them. A lane, a role or a link of a
    /// membership that is over is never held again under its fencing number.
    ///
    /// - Throws: ``NodeError/fenced(_:)`` if the caller's membership is over.
    func endExpired(by claim: NodeClaim) async throws -> [NodeClaim]
    /// Returns all nodes that have ever joined, in ascending order.
    func nodes() async throws -> [NodeRecord]
    /// Asks a node to hand over its work, or to take work again. The node learns of it with its next heartbeat; joining resets it.
    ///
    /// - Returns: false if no such node has ever joined.
    func setDraining(_ isDraining: Bool, _ node: NodeID) async throws -> Bool
}

/// Work that one node does for all.
package enum LeaderRole: String, Hashable, Sendable, CaseIterable {
    /// Firing schedules.
    case schedules
    /// Deleting expired data, and warning of expiring certificates.
    case housekeeping
    /// Reading the journey events of a gateway.
    case gatewayEvents
}

/// The nodes that have roles.
///
/// A role is held under a membership and ends with it: a node that stops, hangs or is cut off loses it with its lease. (A
/// PostgreSQL advisory lock of a session does not: it lasts as long as the connection, which a stopped process keeps open.)
package protocol LeaderStore: Sendable {
    /// Takes those of the roles that nobody holds under a valid membership, gives up all others, in one transaction, and
    /// returns the roles that the caller holds now.
    ///
    /// - Throws: ``NodeError/fenced(_:)`` if the membership is over.
    func lead(_ roles: Set<LeaderRole>, as claim: NodeClaim) async throws -> Set<LeaderRole>
    /// Gives up all roles.
    func resign(_ claim: NodeClaim) async throws
}
