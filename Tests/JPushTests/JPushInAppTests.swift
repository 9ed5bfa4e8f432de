import DeviceLink
import Foundation
import JPush
import PosthornTesting
import PushDevice
import PushModel
import Synchronization
import Testing

@Suite("In-app messages through JPUSHService")
@MainActor
struct JPushInAppTests {
    private func message(_ position: Int64, _ title: String? = nil) -> SDKMessage {
        SDKMessage(
            position: position,
            messageID: 9_007_199_254_740_992 + position,
            content: "text \(position)",
            title: title,
            extras: ["n": 1],
            isInApp: true
        )
    }

    private func events(_ stage: JPushStage) -> [String] {
        stage.service.state.withLock { $0.receipts.map { "\($0.messageID - 9_007_199_254_740_992) \($0.event)" } }
    }

    /// An app that is registered, and may not show notifications unless it is `allowed` to.
    private func stage(allowed: Bool? = false) async -> JPushStage {
        let stage = await JPushStage()
        if let allowed { await stage.phone.perform { $0.setNotifications(of: stage.app.bundleID, allowed: allowed) } }
        await stage.setUp()
        return stage
    }

    @Test("Is shown on the app's page, told to both delegates, tapped, and reported, each once")
    func road() async throws {
        let stage = await stage()
        let delegate = NewInAppDelegate()
        let banner = NewBannerDelegate()
        stage.inside {
            JPUSHService.setInAppMessageDelegate(delegate)
            JPUSHService.setNotiInMessageDelegate(banner)
            JPUSHService.pageEnter(to: "home")
        }
        stage.service.send(message(7, "Ann"))
        await stage.settle()
        let shown = try #require(stage.phone.device.screen.inApp)
        #expect((shown.title, shown.body, shown.bundleID) == ("Ann", "text 7", stage.app.bundleID))
        #expect(stage.service.state.withLock(\.acknowledged) == [7])
        #expect(delegate.heard == ["show 9007199254740999 Ann text 7 1"])
        #expect(banner.heard == ["show 9007199254740999 Ann text 7 1"])
        #expect(events(stage) == ["7 displayed"])
        #expect(!stage.names.contains("NetworkDidReceiveMessage"))

        #expect(await stage.phone.tap(shown.id))
        await stage.settle()
        #expect(stage.phone.device.screen.inApp == nil)
        #expect(delegate.heard.last == "click 9007199254740999 Ann text 7 1")
        #expect(banner.heard.last == "click 9007199254740999 Ann text 7 1")
        #expect(events(stage) == ["7 displayed", "7 clicked"])
        #expect(await stage.phone.perform { $0.tap(shown.id) } == false)
        #expect(delegate.heard.count == 2)
    }

    @Test("Delegates of before SDK 5.2 hear the same")
    func oldDelegates() async {
        let stage = await stage(allowed: nil)
        let delegate = OldInAppDelegate()
        let banner = OldBannerDelegate()
        stage.inside {
            JPUSHService.setInAppMessageDelegate(delegate)
            JPUSHService.setNotiInMessageDelegate(banner)
            JPUSHService.pageEnter(to: "home")
        }
        stage.service.send(message(1))
        await stage.settle()
        await stage.phone.tap("9007199254740993")
        await stage.settle()
        #expect(delegate.heard == ["show 9007199254740993", "click 9007199254740993"])
        #expect(banner.heard == ["show", "click"])
    }

    @Test("Is dropped where the user lets notifications through: the system shows those")
    func allowed() async {
        let stage = await stage(allowed: true)
        stage.inside { JPUSHService.pageEnter(to: "home") }
        stage.service.send(message(1))
        await stage.settle()
        #expect(stage.phone.device.screen.inApp == nil)
        #expect(stage.service.state.withLock(\.acknowledged) == [1])
        await stage.phone.perform { $0.setNotifications(of: stage.app.bundleID, allowed: false) }
        stage.inside { JPUSHService.pageEnter(to: "other") }
        await stage.settle()
        #expect(stage.phone.device.screen.inApp == nil)
        #expect(events(stage).isEmpty)
    }

    @Test("Waits for a page, goes with the last one, and the next comes when the user has put one away")
    func pages() async {
        let stage = await stage()
        for position in Int64(1)...3 { stage.service.send(message(position)) }
        await stage.settle()
        #expect(stage.phone.device.screen.inApp == nil)
        stage.inside { JPUSHService.pageEnter(to: "a") }
        await stage.settle()
        #expect(stage.phone.device.screen.inApp?.body == "text 1")
        stage.inside {
            JPUSHService.pageEnter(to: "b")
            JPUSHService.pageLeave("a")
        }
        await stage.settle()
        #expect(stage.phone.device.screen.inApp?.body == "text 1")
        stage.inside { JPUSHService.pageLeave("b") }
        await stage.settle()
        #expect(stage.phone.device.screen.inApp == nil)
        stage.inside { JPUSHService.pageEnter(to: "c") }
        await stage.settle()
        #expect(stage.phone.device.screen.inApp?.body == "text 2")
        await stage.phone.dismiss("9007199254740994")
        await stage.settle()
        #expect(stage.phone.device.screen.inApp?.body == "text 3")
        #expect(events(stage) == ["1 displayed", "2 displayed", "3 displayed"])
    }

    @Test("Is not lost with the process that had it, and not shown twice; custom messages beside it keep their order")
    func restarts() async {
        let stage = await stage()
        stage.service.send(message(1))
        stage.service.send(SDKMessage(position: 2, messageID: 2, content: "custom"))
        stage.service.send(message(3))
        await stage.settle()
        #expect(stage.service.state.withLock(\.acknowledged).last == 3)
        #expect(stage.names.filter { $0 == "NetworkDidReceiveMessage" }.count == 1)
        for body in ["text 1", "text 3", nil] {
            await stage.relaunch()
            await stage.setUp()
            stage.inside { JPUSHService.pageEnter(to: "home") }
            await stage.settle()
            #expect(stage.phone.device.screen.inApp?.body == body)
        }
        #expect(events(stage) == ["1 displayed", "3 displayed"])
    }

    @Test("Is seen in front only")
    func background() async {
        let stage = await stage()
        stage.inside {
            JPUSHService.setBackgroundEnable(true)
            JPUSHService.pageEnter(to: "home")
        }
        await stage.phone.background(stage.app)
        stage.service.send(message(1))
        await stage.settle()
        #expect(stage.service.state.withLock(\.acknowledged) == [1])
        #expect(stage.phone.device.screen.inApp == nil)
        await stage.phone.open(stage.app)
        await stage.settle()
        #expect(stage.phone.device.screen.inApp?.body == "text 1")
        await stage.phone.background(stage.app)
        #expect(stage.phone.device.screen.inApp == nil)
        #expect(await stage.phone.perform { $0.tap("9007199254740993") } == false)
        await stage.phone.open(stage.app)
        #expect(await stage.phone.tap("9007199254740993"))
    }
}

private func words(_ message: JPushInAppMessage) -> String {
    "\(message.mesageId ?? "") \(message.title ?? "") \(message.content ?? "") \(message.extras["n"] ?? "")"
}

private func words(_ content: [AnyHashable: Any]) -> String {
    let alert = (content["aps"] as? [String: Any])?["alert"] as? [String: Any]
    return "\(content["_j_msgid"] ?? "") \(alert?["title"] ?? "") \(alert?["body"] ?? "") \(content["n"] ?? "")"
}

@MainActor
private final class NewInAppDelegate: NSObject, @preconcurrency JPUSHInAppMessageDelegate {
    var heard: [String] = []

    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage) { heard.append("show \(words(inAppMessage))") }
    func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage) { heard.append("click \(words(inAppMessage))") }
}

@MainActor
private final class OldInAppDelegate: NSObject, @preconcurrency JPUSHInAppMessageDelegate {
    var heard: [String] = []

    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage!) {
        heard.append("show \(inAppMessage.mesageId ?? "")")
    }
    func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage!) {
        heard.append("click \(inAppMessage.mesageId ?? "")")
    }
}

@MainActor
private final class NewBannerDelegate: NSObject, @preconcurrency JPUSHNotiInMessageDelegate {
    var heard: [String] = []

    func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]) { heard.append("show \(words(content))") }
    func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]) { heard.append("click \(words(content))") }
}

@MainActor
private final class OldBannerDelegate: NSObject, @preconcurrency JPUSHNotiInMessageDelegate {
    var heard: [String] = []

    func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]!) { heard.append("show") }
    func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]!) { heard.append("click") }
}
