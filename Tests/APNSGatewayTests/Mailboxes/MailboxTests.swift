import Foundation
import PushModel
import Testing

@testable import APNSGateway

@Suite("Mailbox")
struct MailboxTests {
    private let now = Date(timeIntervalSince1970: 1_767_254_400)
    private var later: Mailbox.Expiration { .at(now.addingTimeInterval(60)) }

    private func push(_ number: Int, collapse: String? = nil) -> MailboxPush {
        MailboxPush(
            id: id(number),
            head: PushHead(topic: bundleID, pushType: .alert, priority: 10, collapseID: collapse),
            payload: []
        )
    }

    private func id(_ number: Int) -> APNSID { APNSID(high: 0, low: UInt64(number)) }

    /// The quick way of the usual case keeps what the general one keeps.
    private static func mailbox(_ policy: Mailbox.Policy) -> Mailbox {
        var rules = GatewayRules()
        rules.policy = policy
        return Mailbox(rules)
    }

    @Test(
        "A push in the one place of another is the same however it is put there",
        arguments: [
            Mailbox.Policy.placePerCollapseID, .single,
        ]
    )
    func replaceOnly(_ policy: Mailbox.Policy) {
        for collapse in [nil, "a"] as [String?] {
            for newer in [nil, "a", "b"] as [String?] {
                for expiration in [later, .atOnce, .at(now)] {
                    for isConnected in [false, true] {
                        var quick = Self.mailbox(policy)
                        if isConnected { _ = quick.connect(at: now) }
                        _ = quick.receive(push(1, collapse: collapse), later, at: now)
                        let before = quick
                        for hasGeneratedID in [true, false] {
                            quick = before
                            var slow = before
                            var next = push(2, collapse: newer)
                            next.payload = [1, 2, 3]
                            let older = quick.replaceOnly(
                                with: next.id,
                                head: next.head,
                                payload: next.payload.span,
                                expiration: expiration,
                                at: now,
                                hasGeneratedID: hasGeneratedID
                            )
                            guard let older else {
                                #expect(quick.recentIDs == before.recentIDs)
                                continue
                            }
                            let effects = slow.receive(next, expiration, at: now, hasGeneratedID: hasGeneratedID)
                            #expect(effects == [.coalesced(older), .stored(next.id)])
                            #expect(quick.nextExpiration == slow.nextExpiration)
                            #expect(quick.recentIDs == slow.recentIDs)
                            #expect(quick.connect(at: now) == slow.connect(at: now))
                        }
                    }
                }
            }
        }
        var mailbox = Self.mailbox(policy)
        _ = mailbox.receive(push(1), later, at: now)
        // A push that comes again replaces nothing.
        for (number, replaced) in [(2, id(1)), (2, nil), (1, nil), (3, id(2))] {
            let older = mailbox.replaceOnly(
                with: id(number),
                head: push(number).head,
                payload: [UInt8]().span,
                expiration: later,
                at: now,
                hasGeneratedID: false
            )
            #expect(older == replaced)
        }
    }

    @Test("Hands over at once while the device is there")
    func connected() {
        var mailbox = Mailbox()
        #expect(mailbox.connect(at: now) == [])
        #expect(mailbox.receive(push(1), .atOnce, at: now) == [.deliver(push(1))])
        #expect(mailbox.acknowledge(id(1), at: now) == [.delivered(id(1))])
        #expect(mailbox.acknowledge(id(1), at: now) == [])
    }

    @Test("One attempt without storing: nobody there, nothing kept")
    func atOnce() {
        var mailbox = Mailbox()
        #expect(mailbox.receive(push(1), .atOnce, at: now) == [.expired(id(1))])
        #expect(mailbox.connect(at: now) == [])
    }

    @Test("The newest push without collapse id takes the place of the one before")
    func place() {
        var mailbox = Mailbox()
        #expect(mailbox.receive(push(1), later, at: now) == [.stored(id(1))])
        #expect(mailbox.receive(push(2, collapse: "a"), later, at: now) == [.stored(id(2))])
        #expect(mailbox.receive(push(3), later, at: now) == [.coalesced(id(1)), .stored(id(3))])
        #expect(
            mailbox.receive(push(4, collapse: "a"), later, at: now) == [
                .coalesced(id(2)), .stored(id(4)),
            ]
        )
        #expect(mailbox.connect(at: now) == [.deliver(push(3)), .deliver(push(4, collapse: "a"))])
    }

    @Test("openGenAI14: collapse ids that look the same are two, also among those that come back")
    func exactCollapseIDs() throws {
        let one = push(1, collapse: "caf\u{E9}")
        let other = push(2, collapse: "cafe\u{301}")
        #expect(one.head != other.head)
        for isConnected in [false, true] {
            var mailbox = Mailbox()
            if isConnected { _ = mailbox.connect(at: now) }
            for push in [one, other] { _ = mailbox.receive(push, later, at: now) }
            #expect(mailbox.disconnect(at: now) == [])
            #expect(mailbox.waitingIDs == [id(1), id(2)])
            #expect(Array(try #require(mailbox.waiting.last?.push.head.collapseID).utf8) == Array("cafe\u{301}".utf8))
        }
    }

    @Test("The historical rule keeps one push in all")
    func single() {
        var mailbox = Self.mailbox(.single)
        _ = mailbox.receive(push(1, collapse: "a"), later, at: now)
        _ = mailbox.receive(push(2, collapse: "b"), later, at: now)
        #expect(mailbox.waitingIDs == [id(2)])
    }

    @Test("fleet30816_fleet51651_storedPushesExpireWithoutADevice: dates are strict")
    func expires() {
        var mailbox = Mailbox()
        _ = mailbox.receive(push(1), later, at: now)
        #expect(mailbox.nextExpiration == now.addingTimeInterval(60))
        #expect(mailbox.expire(at: now.addingTimeInterval(59)) == [])
        #expect(mailbox.expire(at: now.addingTimeInterval(60)) == [.expired(id(1))])
        #expect(mailbox.nextExpiration == nil)
        #expect(mailbox.receive(push(2), .at(now), at: now) == [.expired(id(2))])
        _ = mailbox.receive(push(3), later, at: now)
        #expect(mailbox.connect(at: now.addingTimeInterval(61)) == [.expired(id(3))])
    }

    @Test("All pushes without an acknowledgement come again after the link broke")
    func returns() {
        var mailbox = Mailbox()
        _ = mailbox.connect(at: now)
        for number in 1...3 { _ = mailbox.receive(push(number), later, at: now) }
        _ = mailbox.receive(push(4), .atOnce, at: now)
        _ = mailbox.acknowledge(id(2), at: now)
        #expect(mailbox.disconnect(at: now) == [.expired(id(4))])
        _ = mailbox.receive(push(5), later, at: now)
        #expect(mailbox.connect(at: now) == [.deliver(push(1)), .deliver(push(3)), .deliver(push(5))])
    }

    @Test("The newest push of a collapse id wins among those that come back")
    func returnsCollapsed() {
        var mailbox = Mailbox()
        _ = mailbox.connect(at: now)
        _ = mailbox.receive(push(1, collapse: "a"), later, at: now)
        _ = mailbox.receive(push(2, collapse: "a"), later, at: now)
        #expect(mailbox.disconnect(at: now) == [.coalesced(id(1))])
        #expect(mailbox.waitingIDs == [id(2)])
    }

    @Test("A push that is sent again is known by its apns-id, whatever its case; the memory is bounded")
    func duplicates() throws {
        var mailbox = Mailbox()
        var upper = push(1)
        upper.id = try #require(APNSID("ABCDEF00-0000-0000-0000-000000000000"))
        var lower = upper
        lower.id = try #require(APNSID("abcdef00-0000-0000-0000-000000000000"))
        #expect(!mailbox.receive(upper, later, at: now).isEmpty)
        #expect(mailbox.receive(lower, later, at: now) == [])
        for number in 1...Mailbox.remembered { _ = mailbox.receive(push(number), later, at: now) }
        #expect(!mailbox.receive(lower, later, at: now).isEmpty)
    }

    @Test("pushy857_aDeviceThatNeverAcknowledgesIsBounded")
    func window() {
        var mailbox = Mailbox()
        _ = mailbox.connect(at: now)
        for number in 1...Mailbox.window { _ = mailbox.receive(push(number), later, at: now) }
        let next = Mailbox.window + 1
        #expect(mailbox.receive(push(next), later, at: now) == [.stored(id(next))])
        #expect(mailbox.acknowledge(id(1), at: now) == [.delivered(id(1)), .deliver(push(next))])
    }
}
