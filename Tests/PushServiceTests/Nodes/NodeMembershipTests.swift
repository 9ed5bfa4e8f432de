import Foundation
import Synchronization
import Testing

@testable import PushService

@Suite("Membership of a node")
struct NodeMembershipTests {
    private static func heartbeat(isDraining: Bool) -> NodeHeartbeat {
        NodeHeartbeat(isDraining: isDraining, aliveNodes: 2, date: Date(timeIntervalSince1970: 0))
    }

    @Test("A node that is about to stop takes up no work, whatever its heartbeats say")
    func leaving() {
        let membership = NodeMembership(NodeClaim(node: NodeID(rawValue: 1), fence: 1), requestedAt: .zero) { .zero }
        #expect(membership.mayWork && !membership.isDraining)
        membership.renewed(requestedAt: .zero, Self.heartbeat(isDraining: true))
        #expect(!membership.mayWork && membership.isDraining)
        membership.renewed(requestedAt: .zero, Self.heartbeat(isDraining: false))
        #expect(membership.mayWork && !membership.isDraining && !membership.wantedRoles.isEmpty)
        membership.beginLeaving()
        for isDraining in [false, true, false] {
            membership.renewed(requestedAt: .zero, Self.heartbeat(isDraining: isDraining))
            #expect(!membership.mayWork && membership.isDraining && membership.wantedRoles.isEmpty)
        }
    }

    @Test("A node that is about to stop waits for the store until its lease ends, and one that goes on waits longer")
    func stranded() {
        let now = Mutex(Duration.zero)
        let claim = NodeClaim(node: NodeID(rawValue: 1), fence: 1)
        let membership = NodeMembership(claim, requestedAt: .zero) { now.withLock { $0 } }
        now.withLock { $0 = NodeLease.term }
        #expect(!membership.isStranded)
        membership.beginStopping()
        #expect(membership.isStranded)
        membership.renewed(requestedAt: .seconds(1), Self.heartbeat(isDraining: false))
        #expect(!membership.isStranded)
        now.withLock { $0 = NodeLease.term + .seconds(1) }
        #expect(membership.isStranded)
    }
}
