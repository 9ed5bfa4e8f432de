import PushService
import Testing

private let claim = NodeClaim(node: NodeID(rawValue: 3), fence: 7)

@Suite("The lease of a node")
struct NodeLeaseTests {
    @Test("It ends a term after the request for it, whenever the answer came")
    func end() {
        let lease = NodeLease(claim, requestedAt: .seconds(10))
        #expect(lease.isHeld(at: .seconds(15.999)))
        #expect(!lease.isHeld(at: .seconds(16)))
    }

    @Test("A node that was stopped finds its lease over before it does anything")
    func pause() {
        var lease = NodeLease(claim, requestedAt: .zero)
        lease.renew(requestedAt: .seconds(1))
        #expect(!lease.isHeld(at: .seconds(60)))
        lease.renew(requestedAt: .seconds(60))
        #expect(lease.isHeld(at: .seconds(61)))
    }

    @Test("An answer that comes late does not shorten it")
    func lateAnswer() {
        var lease = NodeLease(claim, requestedAt: .seconds(5))
        lease.renew(requestedAt: .seconds(4))
        #expect(lease.end == .seconds(11))
    }

    @Test("Others are replaced only after a whole term with the store")
    func steadiness() {
        var lease = NodeLease(claim, requestedAt: .zero)
        for second in 1...5 { lease.renew(requestedAt: .seconds(second)) }
        #expect(!lease.mayEndOthers(at: .seconds(5.9)))
        #expect(lease.mayEndOthers(at: .seconds(6)))
        // The store is away for 20 seconds: every lease has expired.
        lease.renew(requestedAt: .seconds(25))
        #expect(!lease.mayEndOthers(at: .seconds(26)))
        for second in 26...31 { lease.renew(requestedAt: .seconds(second)) }
        #expect(lease.mayEndOthers(at: .seconds(31)))
    }

    @Test("Owners of different memberships and nodes differ")
    func owners() {
        #expect(claim.owner.rawValue == 3 << 48 | 7)
        #expect(claim.owner != NodeClaim(node: claim.node, fence: 8).owner)
        #expect(claim.owner != NodeClaim(node: NodeID(rawValue: 4), fence: 7).owner)
    }
}

@Suite("The roles of a node")
struct LeadershipTests {
    private let lease = NodeLease(claim, requestedAt: .zero)

    @Test("A role counts only while the lease is valid")
    func expiry() {
        var leadership = Leadership()
        let new = leadership.hold([.schedules])
        #expect(new == [.schedules])
        #expect(leadership.leads(.schedules, lease: lease, at: .seconds(5)))
        #expect(!leadership.leads(.schedules, lease: lease, at: .seconds(6)))
        #expect(!leadership.leads(.housekeeping, lease: lease, at: .seconds(5)))
    }

    @Test("Only new roles are reported, and a lost membership loses all")
    func reports() {
        var leadership = Leadership()
        _ = leadership.hold([.schedules])
        let more = leadership.hold([.schedules, .housekeeping])
        #expect(more == [.housekeeping])
        leadership.lose()
        #expect(!leadership.leads(.schedules, lease: lease, at: .zero))
        let again = leadership.hold([.schedules])
        #expect(again == [.schedules])
    }

    @Test("A node that hands over its work wants none, and takes none from an answer that comes late")
    func resigning() {
        var leadership = Leadership()
        _ = leadership.hold([.schedules])
        leadership.resign(true)
        #expect(leadership.wanted.isEmpty)
        let late = leadership.hold([.schedules])
        #expect(late.isEmpty)
        #expect(!leadership.leads(.schedules, lease: lease, at: .zero))
        leadership.resign(false)
        #expect(leadership.wanted == Set(LeaderRole.allCases))
    }
}
