import Foundation
import PushModel
import Testing

@testable import APNSGateway

/// Priorities 5 and 1, and the budget of background pushes, in one mailbox.
@Suite("Mailbox of a device that is spared")
struct RestraintTests {
    private let now = Date(timeIntervalSince1970: 1_767_254_400)
    private var later: Mailbox.Expiration { .at(at(86_400)) }

    private func at(_ seconds: TimeInterval) -> Date { now.addingTimeInterval(seconds) }
    private func id(_ number: Int) -> APNSID { APNSID(high: 0, low: UInt64(number)) }

    private func push(
        _ number: Int,
        _ priority: Int,
        collapse: String? = nil,
        _ type: APNSPushType = .alert
    ) -> MailboxPush {
        let head = PushHead(topic: bundleID, pushType: type, priority: priority, collapseID: collapse)
        return MailboxPush(id: id(number), head: head, payload: [])
    }

    private func silent(_ number: Int) -> MailboxPush { push(number, 5, .background) }

    private func mailbox(asleep: Bool = true, budget: SilentBudget? = nil) -> Mailbox {
        var rules = GatewayRules()
        rules.longestGrouping = 900
        rules.silentBudget = budget
        var mailbox = Mailbox(rules)
        _ = mailbox.connect(at: now)
        if asleep { _ = mailbox.setAwake(false, at: now) }
        return mailbox
    }

    /// The fate of a push by its priority, the device's state, and whether it may be stored.
    struct Row: Sendable, CustomTestStringConvertible {
        var priority: Int
        var isAsleep: Bool
        var isStored: Bool
        var goes: Bool

        var testDescription: String { "priority \(priority), asleep \(isAsleep), stored \(isStored)" }
    }

    @Test(
        "10 goes at once; 5 and 1 wait while the device sleeps; what may not be stored goes by 5 and ends by 1",
        arguments: [
            Row(priority: 10, isAsleep: false, isStored: true, goes: true),
            Row(priority: 5, isAsleep: false, isStored: true, goes: true),
            Row(priority: 1, isAsleep: false, isStored: true, goes: true),
            Row(priority: 1, isAsleep: false, isStored: false, goes: true),
            Row(priority: 10, isAsleep: true, isStored: true, goes: true),
            Row(priority: 10, isAsleep: true, isStored: false, goes: true),
            Row(priority: 5, isAsleep: true, isStored: true, goes: false),
            Row(priority: 5, isAsleep: true, isStored: false, goes: true),
            Row(priority: 1, isAsleep: true, isStored: true, goes: false),
            Row(priority: 1, isAsleep: true, isStored: false, goes: false),
        ]
    )
    func priorities(_ row: Row) {
        var mailbox = mailbox(asleep: row.isAsleep)
        let push = push(1, row.priority)
        let effects = mailbox.receive(push, row.isStored ? later : .atOnce, at: now)
        #expect(effects == (row.goes ? [.deliver(push)] : row.isStored ? [.stored(id(1))] : [.expired(id(1))]))
        #expect(mailbox.waitingIDs == (row.goes || !row.isStored ? [] : [id(1)]))
    }

    @Test("When the device wakes up all that waits goes in one burst, in order")
    func wakes() {
        var mailbox = mailbox()
        for (number, priority) in [(1, 5), (2, 1), (3, 5)] {
            #expect(mailbox.receive(push(number, priority), later, at: now) == [.stored(id(number))])
        }
        let burst = mailbox.setAwake(true, at: at(1))
        #expect(burst == [.deliver(push(1, 5)), .deliver(push(2, 1)), .deliver(push(3, 5))])
        #expect(mailbox.nextMoment == nil)
        #expect(mailbox.acknowledge(id(2), at: at(1)) == [.delivered(id(2))])
        #expect(mailbox.receive(push(4, 1), later, at: at(2)) == [.deliver(push(4, 1))])
    }

    @Test("A push of priority 10 takes those of priority 5 along, which were there before it")
    func takesAlong() {
        var mailbox = mailbox()
        _ = mailbox.receive(push(1, 5), later, at: now)
        _ = mailbox.receive(push(2, 1), later, at: now)
        #expect(mailbox.receive(push(3, 10), later, at: now) == [.deliver(push(1, 5)), .deliver(push(3, 10))])
        #expect(mailbox.waitingIDs == [id(2)])
        _ = mailbox.receive(push(4, 5), later, at: now)
        #expect(mailbox.wake(at: at(1)) == [.deliver(push(4, 5))])
    }

    @Test("Pushes of priority 5 go together when the first of them has waited long enough")
    func longestGrouping() {
        var mailbox = mailbox()
        _ = mailbox.receive(push(1, 5), later, at: now)
        _ = mailbox.receive(push(2, 5), later, at: at(600))
        _ = mailbox.receive(push(3, 1), later, at: at(600))
        #expect(mailbox.nextMoment == at(900))
        #expect(mailbox.catchUp(at: at(899)) == [])
        #expect(mailbox.catchUp(at: at(900)) == [.deliver(push(1, 5)), .deliver(push(2, 5))])
        // What is left has its expiration to wait for, and the next group begins anew.
        #expect(mailbox.nextMoment == at(86_400))
        _ = mailbox.receive(push(4, 5), later, at: at(1000))
        #expect(mailbox.nextMoment == at(1900))
    }

    @Test("Expiration dates hold for those that are held, and a group that is gone leaves no date")
    func expires() {
        var mailbox = mailbox()
        _ = mailbox.receive(push(1, 5), .at(at(60)), at: now)
        #expect(mailbox.nextMoment == at(60))
        #expect(mailbox.catchUp(at: at(60)) == [.expired(id(1))])
        #expect(mailbox.nextMoment == nil)
        _ = mailbox.receive(push(2, 5), later, at: at(2000))
        #expect(mailbox.nextMoment == at(2900))
        _ = mailbox.receive(push(3, 1), .at(at(2100)), at: at(2000))
        #expect(mailbox.setAwake(true, at: at(2100)) == [.expired(id(3)), .deliver(push(2, 5))])
    }

    @Test("Held pushes keep their right to arrive; a collapse id collapses, held or going")
    func collapses() {
        var mailbox = mailbox()
        _ = mailbox.receive(push(1, 5), later, at: now)
        _ = mailbox.receive(push(2, 5, collapse: "a"), later, at: now)
        #expect(mailbox.receive(push(3, 5), later, at: now) == [.stored(id(3))])
        #expect(
            mailbox.receive(push(4, 5, collapse: "a"), later, at: now) == [.coalesced(id(2)), .stored(id(4))]
        )
        _ = mailbox.receive(push(5, 1, collapse: "b"), later, at: now)
        #expect(
            mailbox.receive(push(6, 10, collapse: "b"), later, at: now) == [
                .coalesced(id(5)), .deliver(push(1, 5)), .deliver(push(3, 5)), .deliver(push(4, 5, collapse: "a")),
                .deliver(push(6, 10, collapse: "b")),
            ]
        )
    }

    @Test("A device that goes away leaves what is held in the store, and is awake when it comes back")
    func disconnects() {
        var mailbox = mailbox()
        _ = mailbox.receive(push(1, 5), later, at: now)
        _ = mailbox.receive(push(2, 1), later, at: now)
        #expect(mailbox.disconnect(at: now) == [])
        #expect(mailbox.nextMoment == at(86_400))
        // One for a device that is away takes nobody's place who waits since the device was there.
        #expect(mailbox.receive(push(3, 5), later, at: now) == [.stored(id(3))])
        #expect(mailbox.connect(at: at(1)).count == 3)
        #expect(!mailbox.isAsleep)
    }

    @Test("A device that comes back asleep gets what cannot wait, and with it those of priority 5")
    func connectsAsleep() {
        var mailbox = Mailbox()
        _ = mailbox.receive(push(1, 5, collapse: "a"), later, at: now)
        _ = mailbox.receive(push(2, 1, collapse: "b"), later, at: now)
        var other = mailbox
        #expect(mailbox.setAwake(false, at: now) == [])
        #expect(mailbox.connect(at: now) == [])
        #expect(mailbox.nextMoment == now.addingTimeInterval(GatewayRules.usualGrouping))
        _ = other.receive(push(3, 10), later, at: now)
        _ = other.setAwake(false, at: now)
        #expect(other.connect(at: now) == [.deliver(push(1, 5, collapse: "a")), .deliver(push(3, 10))])
    }

    // MARK: Budget

    private let two = SilentBudget(pushes: 2, interval: 3600)

    @Test("Background pushes beyond the budget wait, the newest alone, until an older one is out of the interval")
    func budget() {
        var mailbox = mailbox(asleep: false, budget: two)
        #expect(mailbox.receive(silent(1), later, at: now) == [.deliver(silent(1))])
        #expect(mailbox.receive(silent(2), later, at: at(600)) == [.deliver(silent(2))])
        #expect(mailbox.nextMoment == nil)
        #expect(mailbox.receive(silent(3), later, at: at(700)) == [.stored(id(3)), .overBudget(id(3))])
        #expect(
            mailbox.receive(push(4, 5, collapse: "other", .background), later, at: at(800)) == [
                .coalesced(id(3)), .stored(id(4)), .overBudget(id(4)),
            ]
        )
        #expect(mailbox.receive(push(5, 10), later, at: at(800)) == [.deliver(push(5, 10))])
        #expect(mailbox.nextMoment == at(3600))
        #expect(mailbox.catchUp(at: at(3599)) == [])
        #expect(mailbox.catchUp(at: at(3600)) == [.deliver(push(4, 5, collapse: "other", .background))])
        #expect(mailbox.receive(silent(6), .atOnce, at: at(3700)) == [.expired(id(6))])
        #expect(mailbox.receive(silent(7), later, at: at(4200)) == [.deliver(silent(7))])
    }

    @Test("One that comes again after a cut is not counted twice")
    func budgetAfterCut() {
        var mailbox = mailbox(asleep: false, budget: two)
        _ = mailbox.receive(silent(1), later, at: now)
        _ = mailbox.receive(push(2, 5, collapse: "a", .background), later, at: now)
        _ = mailbox.disconnect(at: at(1))
        #expect(mailbox.connect(at: at(2)).count == 2)
        _ = mailbox.acknowledge(id(1), at: at(2))
        #expect(mailbox.receive(silent(3), later, at: at(3600)) == [.deliver(silent(3))])
    }

    @Test("A clock that is set back holds no background push back for longer")
    func budgetAfterSetBack() {
        var mailbox = mailbox(asleep: false, budget: SilentBudget(pushes: 1, interval: 3600))
        _ = mailbox.receive(silent(1), later, at: now)
        let held = push(2, 5, collapse: "a", .background)
        #expect(mailbox.receive(held, later, at: now) == [.stored(id(2)), .overBudget(id(2))])
        #expect(mailbox.receive(silent(3), later, at: at(-7200)) == [.deliver(silent(3))])
    }

    @Test("A push that waits for sleep and budget goes when both allow it")
    func budgetAndSleep() {
        var mailbox = mailbox(budget: SilentBudget(pushes: 1, interval: 3600))
        _ = mailbox.receive(silent(1), .atOnce, at: now)
        #expect(mailbox.receive(silent(2), later, at: now) == [.stored(id(2))])
        #expect(mailbox.receive(silent(3), later, at: now) == [.coalesced(id(2)), .stored(id(3))])
        #expect(mailbox.catchUp(at: at(900)) == [])
        #expect(mailbox.setAwake(true, at: at(1000)) == [])
        #expect(mailbox.nextMoment == at(3600))
        #expect(mailbox.catchUp(at: at(3600)) == [.deliver(silent(3))])
    }

    @Test("A device that acknowledges nothing gets no more, and no date is left that has passed")
    func window() {
        var mailbox = mailbox(asleep: false, budget: two)
        for number in 1...Mailbox.window { _ = mailbox.receive(push(number, 10), later, at: now) }
        #expect(mailbox.receive(push(5000, 10), later, at: now) == [.stored(id(5000))])
        #expect(mailbox.receive(push(5001, 10), .atOnce, at: now) == [.expired(id(5001))])
        #expect(mailbox.nextMoment == at(86_400))
        #expect(mailbox.acknowledge(id(1), at: now) == [.delivered(id(1)), .deliver(push(5000, 10))])
    }
}
