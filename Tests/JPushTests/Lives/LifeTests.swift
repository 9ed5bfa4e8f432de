import DeviceLink
import Foundation
import JPush
import PosthornTesting
import PushModel
import Synchronization
import Testing
import UIKit

/// Lives of an app with the SDK of the emulated phone, each compared with its recording in `Recorded`.
///
/// A line that changes fails the test of its life: what an app or a service sees has changed. If that is intended, write the
/// recordings anew, and look at the difference before it is committed:
///
/// ```sh
/// POSTHORN_RECORD_LIVES=1 ./test --filter JPushTests.LifeTests
/// ```
@Suite("Recorded lives of an app with the SDK")
@MainActor
struct LifeTests {
    @Test("The first start: registration, token, tags, alias, a custom message")
    func firstStart() async throws {
        let life = await Life()
        await life.app("before setup") { life.read("registrationID", JPUSHService.registrationID()) }
        await life.setUp()
        await life.app("token and callers") {
            JPUSHService.registerDeviceToken(Data([0xAA, 0xBB]))
            JPUSHService.registrationIDCompletionHandler(life.registration("registration"))
            life.read("registrationID", JPUSHService.registrationID())
        }
        await life.app("names") {
            JPUSHService.setTags(["b", "a"], completion: life.names("setTags"), seq: 1)
            JPUSHService.setAlias("tom", completion: life.alias("setAlias"), seq: 2)
            JPUSHService.setBadge(3)
        }
        await life.app("questions") {
            JPUSHService.getAllTags(life.names("getAllTags"), seq: 3)
            JPUSHService.getAlias(life.alias("getAlias"), seq: 4)
        }
        await life.step("messages") {
            life.stage.service.send(Self.message(1))
            life.stage.service.send(Self.message(2))
        }
        await life.pass(.seconds(2))
        try life.compare(with: "FirstStart")
    }

    @Test("A relaunch logs in; a link that ends comes back after its wait")
    func relaunch() async throws {
        let life = await Life()
        await life.setUp()
        await life.app("token") { JPUSHService.registerDeviceToken(Data([0xAA])) }
        await life.relaunch()
        await life.app("before setup") { life.read("registrationID", JPUSHService.registrationID()) }
        await life.setUp()
        await life.app("the same token") { JPUSHService.registerDeviceToken(Data([0xAA])) }
        await life.step("the link ends") { life.stage.service.drop() }
        await life.pass(.seconds(2))
        await life.step("the link ends again") { life.stage.service.drop() }
        await life.pass(.seconds(5))
        try life.compare(with: "Relaunch")
    }

    @Test("Calls before setup wait for it, and those of another process too")
    func earlyCalls() async throws {
        let life = await Life()
        let calls: @MainActor () -> Void = {
            JPUSHService.setTags(["a"], completion: life.names("setTags"), seq: 1)
            JPUSHService.setAlias("tom", completion: life.alias("setAlias"), seq: 2)
            JPUSHService.setBadge(3)
            JPUSHService.getAllTags(life.names("getAllTags"), seq: 3)
            JPUSHService.registerDeviceToken(Data([0xCC]))
            JPUSHService.registrationIDCompletionHandler(life.registration("registration"))
        }
        await life.app("early calls", calls)
        await life.relaunch()
        await life.app("the same calls in the next process", calls)
        await life.pass(.seconds(30))
        await life.setUp()
        try life.compare(with: "EarlyCalls")
    }

    @Test("Calls at once, calls while push is off, and too many calls are refused by the SDK itself")
    func gates() async throws {
        let life = await Life()
        await life.setUp()
        life.stage.service.set { $0.answers = false }
        await life.app("two at once") {
            JPUSHService.setTags(["a"], completion: life.names("first"), seq: 1)
            JPUSHService.setTags(["b"], completion: life.names("second"), seq: 2)
            JPUSHService.setAlias("x", completion: life.alias("alias"), seq: 3)
        }
        await life.pass(.seconds(20))
        life.stage.service.set { $0.answers = true }
        await life.app("push off") { JPUSHService.setPushEnable(false) { life.read("off", "\($0)") } }
        await life.app("a call meanwhile") { JPUSHService.setTags(["c"], completion: life.names("off"), seq: 4) }
        await life.app("push on") { JPUSHService.setPushEnable(true) { life.read("on", "\($0)") } }
        for number in 1...11 {
            await life.app("call \(number)") {
                JPUSHService.setTags(["t\(number)"], completion: life.names("call"), seq: number)
            }
        }
        try life.compare(with: "Gates")
    }

    @Test("A backlog that the service finds too long goes on after a pause, in order")
    func backlog() async throws {
        let life = await Life()
        for number in 1...4 {
            await life.app("call \(number)") {
                // Each ends the exclusion of the one before.
                JPUSHService.addTags(["t\(number)"], completion: life.names("call"), seq: number)
            }
            await life.pass(.seconds(20))
        }
        life.stage.service.set { $0.budget = 2 }
        await life.setUp()
        life.stage.service.set { $0.budget = nil }
        await life.pass(.seconds(15))
        try life.compare(with: "Backlog")
    }

    @Test("A killed process leaves its unanswered calls to the next one")
    func kill() async throws {
        let life = await Life()
        await life.setUp()
        life.stage.service.set { $0.answers = false }
        await life.app("calls") {
            JPUSHService.setBadge(7)
            JPUSHService.setTags(["a"], completion: life.names("setTags"), seq: 1)
            JPUSHService.registerVoipToken(Data([0xDD]))
            JPUSHService.handleRemoteNotification(["_j_msgid": 5])
        }
        life.stage.service.set { $0.answers = true }
        await life.relaunch()
        await life.setUp()
        await life.app("the same receipt") { JPUSHService.handleRemoteNotification(["_j_msgid": 5]) }
        try life.compare(with: "Kill")
    }

    @Test("A process that is killed at any of its calls leaves nothing undone, and no message comes twice")
    func killedAtEachCall() async throws {
        var lives: [Life] = []
        for call in 1...7 {
            for isCarriedOut in [false, true] { lives.append(await Self.life(killedAt: call, isCarriedOut)) }
        }
        try Life.compare(lives, with: "KilledAtEachCall")
    }

    private static func life(killedAt call: Int, _ isCarriedOut: Bool) async -> Life {
        let life = await Life()
        let service = life.stage.service
        life.end(atCall: call, isCarriedOut: isCarriedOut)
        let names: @MainActor () -> Void = {
            JPUSHService.setTags(["a"], completion: life.names("setTags"), seq: 1)
            JPUSHService.setAlias("tom", completion: life.alias("setAlias"), seq: 2)
        }
        await life.setUp()
        await life.app("calls") {
            JPUSHService.registerDeviceToken(Data([0xAA]))
            names()
            JPUSHService.setBadge(7)
            JPUSHService.handleRemoteNotification(["_j_msgid": 5])
        }
        await life.step("a message") { service.send(message(1)) }
        await life.relaunch()
        await life.setUp()
        // What has a completion is the app's to repeat.
        await life.app("the same names", names)
        await life.pass(.seconds(40))
        let state = service.state.withLock { ($0.tags, $0.alias, $0.receipts.map(\.messageID), $0.messages.isEmpty) }
        let words: Comment = "killed at call \(call)"
        #expect(state.0 == ["a"] && state.1 == "tom" && state.2.contains(5), words)
        #expect(service.requests.contains(.badge(7)), words)
        let messages = life.stage.posted.filter { $0.name == "NetworkDidReceiveMessage" }
        // The test's service sends what waits after a login, and not after a registration.
        #expect(messages.count == (call == 1 ? 0 : 1) && state.3 == (call > 1), words)
        return life
    }

    @Test("A device that the service has forgotten registers again")
    func forgotten() async throws {
        let life = await Life()
        await life.setUp()
        await life.step("a message") { life.stage.service.send(Self.message(9)) }
        life.stage.service.set {
            $0.forgets = true
            $0.messages = []
        }
        await life.step("the link ends") { life.stage.service.drop() }
        await life.pass(.seconds(5))
        await life.step("a message of the new identity") { life.stage.service.send(Self.message(1)) }
        try life.compare(with: "Forgotten")
    }

    @Test("A refused app hears the code, in each call and in the next process")
    func refused() async throws {
        let life = await Life()
        life.stage.service.set { $0.refusal = (1005, "no such app") }
        await life.app("early calls") {
            JPUSHService.setTags(["a"], completion: life.names("early"), seq: 1)
            JPUSHService.registrationIDCompletionHandler(life.registration("registration"))
        }
        await life.setUp()
        await life.app("a call") { JPUSHService.setAlias("x", completion: life.alias("late"), seq: 2) }
        await life.pass(.seconds(60))
        life.stage.service.set { $0.refusal = nil }
        await life.relaunch()
        await life.setUp()
        try life.compare(with: "Refused")
    }

    @Test("A service extension reports; without an answer it leaves the receipt to the app")
    func serviceExtension() async throws {
        let life = await Life(extension: { LifeExtension() })
        await life.setUp()
        await life.app("permission") {
            let entity = JPUSHRegisterEntity()
            entity.types = Int(JPAuthorizationOptions([.alert]).rawValue)
            JPUSHService.register(forRemoteNotificationConfig: entity, delegate: nil)
        }
        await life.step("the app is killed", ends: true) { await life.stage.phone.terminate(life.stage.app) }
        await life.step("a push") { await life.stage.phone.push(Self.push(9), to: life.stage.app) }
        life.stage.service.set { $0.answers = false }
        await life.step("a push, without an answer") {
            await life.stage.phone.push(Self.push(10), to: life.stage.app)
        }
        await life.pass(.seconds(6))
        life.stage.service.set { $0.answers = true }
        await life.step("the app is opened") { await life.stage.phone.open(life.stage.app) }
        await life.setUp()
        try life.compare(with: "ServiceExtension")
    }

    @Test("In-app messages wait for a page, are shown, tapped and reported")
    func inApp() async throws {
        let life = await Life()
        await life.step("notifications are denied") {
            let bundleID = life.stage.app.bundleID
            await life.stage.phone.perform { $0.setNotifications(of: bundleID, allowed: false) }
        }
        await life.setUp()
        await life.step("two messages") {
            life.stage.service.send(Self.message(7, isInApp: true))
            life.stage.service.send(Self.message(8, isInApp: true))
        }
        await life.app("a page") { JPUSHService.pageEnter(to: "home") }
        await life.step("a tap") { await life.stage.phone.tap("\(Self.firstID + 7)") }
        await life.app("the page ends") { JPUSHService.pageLeave("home") }
        await life.relaunch()
        await life.setUp()
        try life.compare(with: "InApp")
    }

    @Test("In the background there is a link for what is to be sent, or if the app wants it")
    func background() async throws {
        let life = await Life()
        await life.setUp()
        await life.step("background") { await life.stage.phone.background(life.stage.app) }
        await life.app("calls") {
            JPUSHService.setTags(["a"], completion: life.names("setTags"), seq: 1)
            JPUSHService.handleRemoteNotification(["_j_msgid": 3])
        }
        // Not while a link ends: whether the message or the end is posted first is up to the threads.
        life.stage.service.send(Self.message(1))
        await life.step("front") { await life.stage.phone.open(life.stage.app) }
        await life.app("heartbeat, and a link in the background") {
            JPUSHService.setHeartBeatTimeInterval(30)
            JPUSHService.setBackgroundEnable(true)
        }
        await life.step("background") { await life.stage.phone.background(life.stage.app) }
        await life.step("a message") { life.stage.service.send(Self.message(2)) }
        await life.app("no link in the background") { JPUSHService.setBackgroundEnable(false) }
        try life.compare(with: "Background")
    }

    @Test("A service that cannot be reached is complained of once, and calls fail with 6002 or wait for it")
    func silentService() async throws {
        let life = await Life()
        await life.setUp()
        life.setReachable(false)
        await life.step("the link ends") { life.stage.service.drop() }
        await life.app("calls") {
            JPUSHService.setTags(["a"], completion: life.names("setTags"), seq: 1)
            JPUSHService.setBadge(4)
            JPUSHService.handleRemoteNotification(["_j_msgid": 3])
        }
        await life.pass(.seconds(90))
        life.setReachable(true)
        await life.pass(.seconds(60))
        try life.compare(with: "SilentService")
    }

    // MARK: Samples

    private static let firstID: Int64 = 9_007_199_254_740_992

    private static func message(_ position: Int64, isInApp: Bool = false) -> SDKMessage {
        SDKMessage(
            position: position,
            messageID: firstID + position,
            content: "text \(position)",
            title: "Ann",
            extras: ["n": 1],
            isInApp: isInApp
        )
    }

    private static func push(_ id: Int64) -> JSONValue {
        ["aps": ["alert": "Hi", "mutable-content": 1], "_j_msgid": .integer(id)]
    }
}

private final class LifeExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        JPushNotificationExtensionService.jpushSetAppkey("key")
        JPushNotificationExtensionService.jpushReceive(request) { contentHandler(request.content) }
    }
}
