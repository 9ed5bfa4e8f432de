import Foundation
import PushService
import Testing

@testable import PosthornPortal

@Suite("Sessions of the portal")
struct SessionTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let store = SessionStore()

    @Test("A session lasts while it is used, at most twelve hours")
    func lasts() throws {
        let session = store.start("ana", .sender, version: "1", at: start)
        var time = start
        var uses = 0
        while store.find(session.id, at: time) != nil {
            uses += 1
            time += SessionStore.idle - 1
            guard uses < 100 else { break }
        }
        #expect(time.timeIntervalSince(start) >= SessionStore.longest)
        #expect(uses > 10 && uses < 20)
    }

    @Test("A session ends when it is not used for an hour")
    func idle() {
        let session = store.start("ana", .sender, version: "1", at: start)
        #expect(store.find(session.id, at: start + SessionStore.idle) == nil)
    }

    @Test(
        "Of two requests, the one that has read the clock first may come second; a clock that was set back ends the session"
    )
    func disorder() {
        let session = store.start("ana", .sender, version: "1", at: start)
        #expect(store.find(session.id, at: start + 60) != nil)
        #expect(store.find(session.id, at: start + 59.99)?.seenAt == start + 60)
        #expect(store.find(session.id, at: start + 50) == nil)
    }

    @Test("Giving the password again changes the id and the token, and the old id ends")
    func rotates() throws {
        let session = store.start("ana", .sender, version: "1", at: start)
        let later = start + Session.freshness
        let old = try #require(store.find(session.id, at: later))
        #expect(!old.isFresh(at: later))
        let renewed = store.rotate(old, at: later)
        #expect(renewed.isFresh(at: later))
        #expect(renewed.id != session.id && renewed.csrfToken != session.csrfToken)
        #expect(store.find(session.id, at: later) == nil)
    }

    @Test("A session can go on after a new password")
    func kept() {
        let ids = (0..<2).map { _ in store.start("ana", .sender, version: "1", at: start).id }
        store.keep(ids[1], version: "2")
        #expect(ids.map { store.find($0, at: start)?.version } == ["1", "2"])
        store.end(ids[0])
        store.keep(ids[0], version: "3")
        #expect(store.find(ids[0], at: start) == nil)
    }

    @Test("The number of sessions is limited; the longest unused one makes room")
    func limit() {
        let first = store.start("ana", .sender, version: "1", at: start - 1)
        for number in 0..<SessionStore.limit { _ = store.start("user\(number % 7)", .viewer, version: "1", at: start) }
        #expect(store.find(first.id, at: start) == nil)
    }

    @Test("Failures keep a user out of the network that they come from, and nobody else")
    func attempts() throws {
        let limits = SignInLimits()
        for _ in 0..<SignInLimits.perUser { #expect(limits.take("ana", from: "192.0.2.1", at: start) == nil) }
        #expect(limits.take("ana", from: "192.0.2.1", at: start + 10)?.seconds == 50)
        #expect(limits.take("ana", from: "192.0.2.2", at: start + 10) == nil)
        #expect(limits.take("ben", from: "192.0.2.1", at: start + 10) == nil)
        #expect(limits.take("ana", from: "192.0.2.1", at: start + 60) == nil)
        for number in 0..<SignInLimits.perNetwork { _ = limits.take("user\(number)", from: "192.0.2.9", at: start) }
        #expect(limits.take("someone", from: "192.0.2.9", at: start) == SignInLimits.Wait(seconds: 60))
        #expect(limits.take("someone", from: "192.0.2.10", at: start) == nil)
    }

    @Test("The right password does not use up attempts")
    func successes() {
        let limits = SignInLimits()
        for _ in 0..<SignInLimits.perNetwork * 3 {
            #expect(limits.take("ana", from: "192.0.2.1", at: start) == nil)
            limits.succeed("ana", from: "192.0.2.1", at: start)
        }
    }

    @Test("A guess from many networks ends, and the user goes on from a known one")
    func distributed() {
        let limits = SignInLimits()
        #expect(limits.take("ana", from: "192.0.2.1", at: start) == nil)
        limits.succeed("ana", from: "192.0.2.1", at: start)
        for number in 0..<SignInLimits.perUserAnywhere {
            #expect(limits.take("ana", from: "198.51.100.\(number)", at: start + 1) == nil)
            // What the user does in between makes no room for more failures.
            #expect(limits.take("ana", from: "192.0.2.1", at: start + 1) == nil)
            limits.succeed("ana", from: "192.0.2.1", at: start + 1)
        }
        let wait = SignInLimits.Wait(seconds: 3598, isForStrangers: true)
        #expect(limits.take("ana", from: "203.0.113.1", at: start + 2) == wait)
        #expect(limits.take("ana", from: "192.0.2.1", at: start + 2) == nil)
        // The audit log knows more places than this run of the service.
        limits.know("ana", from: "203.0.113.1", at: start + 2)
        #expect(limits.take("ana", from: "203.0.113.1", at: start + 2) == nil)
        #expect(limits.take("ana", from: "203.0.113.2", at: start + 3601) == nil)
    }

    @Test(
        "The failures of one stranger, in whatever network of a subscriber, keep out nobody else",
        arguments: ["192.0.2.1", "2001:db8:0:NUMBER::/64"]
    )
    func stranger(_ network: String) {
        let limits = SignInLimits()
        var attempts = 0
        var now = start
        for number in 0..<600 {
            let network = network.replacing("NUMBER", with: String(number, radix: 16))
            if limits.take("ana", from: network, at: now) == nil { attempts += 1 }
            now += 6
        }
        #expect(attempts == SignInLimits.perStranger)
        #expect(limits.take("ana", from: "198.51.100.1", at: now) == nil)
        #expect(limits.take("ana", from: "2001:db8:1:1::/64", at: now) == nil)
    }

    @Test("What a stranger makes the portal look up is counted")
    func lookups() {
        let limits = SignInLimits()
        for number in 0..<SignInLimits.perStranger {
            #expect(limits.take("ana", from: "192.0.2.1", at: start + Double(number) * 60) == nil)
        }
        let now = start + Double(SignInLimits.perStranger) * 60
        let waits = (0..<100).map { _ in limits.take("ana", from: "192.0.2.1", at: now) }
        #expect(waits.count { $0?.isForStrangers == true } == SignInLimits.perUser)
        #expect(!waits.contains(nil))
    }

    @Test("A clock that is set back keeps nobody waiting")
    func setBack() {
        let limits = SignInLimits()
        for _ in 0..<SignInLimits.perUser { _ = limits.take("ana", from: "192.0.2.1", at: start) }
        #expect(limits.take("ana", from: "192.0.2.1", at: start - 3600) == nil)
        let session = store.start("ana", .admin, version: "1", at: start)
        #expect(!session.isFresh(at: start - 1))
    }

    @Test("A name that no user has counts for the network alone")
    func names() {
        let limits = SignInLimits()
        for number in 0..<SignInLimits.perNetwork {
            #expect(limits.take(String(repeating: "x", count: 65_000 + number), from: "192.0.2.1", at: start) == nil)
        }
        #expect(limits.take("", from: "192.0.2.1", at: start) == SignInLimits.Wait(seconds: 60))
    }

    @Test(
        "Only a path of the portal is a place to return to",
        arguments: [
            ("/portal/apps/1", "/portal/apps/1"), ("https://example.com/", "/portal"), ("//example.com", "/portal"),
            ("/portal/../v3/push", "/portal"), ("/portal/\\example.com", "/portal"), ("/portal/a b", "/portal"),
            ("", "/portal"),
        ]
    )
    func back(_ wish: String, _ path: String) { #expect(Visit.own(wish) == path) }

    @Test("An invitation is valid for its secret, and until it has ended")
    func invitations() {
        let invitations = Invitations()
        #expect(!invitations.admits(""))
        let first = invitations.make()
        let second = invitations.make()
        #expect(!invitations.admits(first) && invitations.admits(second))
        invitations.end()
        #expect(!invitations.admits(second))
    }
}
