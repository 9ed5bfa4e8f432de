import DeviceLink
import JPush
import PosthornTesting
import PushModel
import Synchronization
import Testing
import UIKit

/// Reports every push from every callback, as apps do.
private final class ReportingApp: UIResponder, UIApplicationDelegate, @preconcurrency JPUSHRegisterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let entity = JPUSHRegisterEntity()
        entity.types = Int(JPAuthorizationOptions([.alert]).rawValue)
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self)
        JPUSHService.setup(withOption: launchOptions, appKey: "key", channel: nil, apsForProduction: false)
        return true
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        JPUSHService.handleRemoteNotification(userInfo)
        completionHandler(.newData)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        JPUSHService.handleRemoteNotification(notification.request.content.userInfo)
        completionHandler(Int(UNNotificationPresentationOptions([.banner, .list]).rawValue))
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let content = response.notification.request.content
        // Later than the callback, as some apps do.
        DispatchQueue.main.async {
            JPUSHService.handleRemoteNotification(content.userInfo)
        }
        completionHandler()
    }
}

private final class ReportingExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        JPushNotificationExtensionService.jpushSetAppkey("key")
        JPushNotificationExtensionService.jpushReceive(request) { contentHandler(request.content) }
    }
}

@Suite("Receipts through JPUSHService")
@MainActor
struct JPushReceiptTests {
    private static let big: Int64 = 9_007_199_254_740_993

    private func stage(_ withExtension: Bool = false) async -> JPushStage {
        var program: (@MainActor @Sendable () -> UNNotificationServiceExtension)?
        if withExtension { program = { ReportingExtension() } }
        let stage = await JPushStage(serviceExtension: program, delegate: { ReportingApp() })
        await stage.settle()
        return stage
    }

    private func payload(_ id: JSONValue?, fetches: Bool = false, mutable: Bool = false) -> JSONValue {
        var aps: JSONObject = ["alert": "Hi"]
        if fetches { aps["content-available"] = 1 }
        if mutable { aps["mutable-content"] = 1 }
        var payload: JSONObject = ["aps": .object(aps)]
        if let id { payload["_j_msgid"] = id }
        return .object(payload)
    }

    private func receipts(_ stage: JPushStage) async -> [String] {
        await stage.settle()
        return stage.service.state.withLock { $0.receipts.map { "\($0.messageID) \($0.event)" } }
    }

    @Test("In front received once though two callbacks carry it, then opened", arguments: [false, true])
    func inFront(_ isText: Bool) async {
        let stage = await stage()
        let id: JSONValue = isText ? .string("\(Self.big)") : .integer(Self.big)
        let push = await stage.phone.push(payload(id, fetches: true), to: stage.app)
        #expect(await receipts(stage) == ["\(Self.big) received"])
        await stage.phone.tap(push)
        #expect(await receipts(stage) == ["\(Self.big) received", "\(Self.big) opened"])
        let times = stage.service.state.withLock { $0.receipts.map(\.time) }
        #expect(times == [1_767_596_400, 1_767_596_400])
    }

    @Test("In the background the link opens for the receipt, and closes again")
    func background() async {
        let stage = await stage()
        await stage.phone.background(stage.app)
        await stage.settle()
        #expect(stage.names.last == "NetworkDidClose")
        let push = await stage.phone.push(payload(5, fetches: true), to: stage.app)
        #expect(await receipts(stage) == ["5 received"])
        #expect(stage.names.last == "NetworkDidClose")
        await stage.phone.tap(push)
        #expect(await receipts(stage) == ["5 received", "5 opened"])
    }

    @Test("A launch by the tap counts through setup, once with the response")
    func launch() async {
        let stage = await stage()
        await stage.phone.terminate(stage.app)
        let push = await stage.phone.push(payload(6), to: stage.app)
        await stage.phone.tap(push)
        #expect(await receipts(stage) == ["6 opened"])
    }

    @Test("Payloads of others, and local notifications, are passed over")
    func others() async {
        let stage = await stage()
        await stage.phone.push(payload(nil), to: stage.app)
        await stage.phone.push(payload(1.5), to: stage.app)
        await stage.phone.push(payload("text"), to: stage.app)
        await stage.phone.push(payload(true), to: stage.app)
        stage.inside { JPUSHService.handleRemoteNotification(nil) }
        #expect(await receipts(stage) == [])
    }

    @Test("A dismissal opens nothing")
    func dismissal() async {
        let stage = await stage()
        stage.inside {
            let category = UNNotificationCategory(
                identifier: "c",
                actions: [],
                intentIdentifiers: [],
                options: [.customDismissAction]
            )
            UNUserNotificationCenter.current().setNotificationCategories([category])
        }
        await stage.phone.background(stage.app)
        let aps: JSONValue = ["alert": "Hi", "category": "c"]
        let push = await stage.phone.push(.object(["aps": aps, "_j_msgid": 8]), to: stage.app)
        await stage.phone.dismiss(push)
        #expect(await receipts(stage) == ["8 received"])
    }

    @Test("Receipts wait for the service through lost links and kills, and are not told again after")
    func durable() async {
        let stage = await stage()
        stage.phone.dialer.serve(TestService.url, nil)
        stage.service.drop()
        await stage.phone.push(payload(1), to: stage.app)
        await stage.phone.push(payload(2), to: stage.app)
        await stage.settle()
        await stage.phone.forceQuit(stage.app)
        // The service hears, and dies before it answers.
        stage.service.set { $0.answers = false }
        stage.phone.dialer.serve(TestService.url, stage.service)
        await stage.phone.open(stage.app)
        #expect(await receipts(stage) == [])
        stage.service.set { $0.answers = true }
        await stage.relaunch()
        #expect(await receipts(stage) == ["1 received", "2 received"])
        await stage.relaunch()
        stage.inside { JPUSHService.handleRemoteNotification(["_j_msgid": 2]) }
        stage.inside { JPUSHService.handleVoipNotification(["_j_msgid": NSNumber(value: 3)]) }
        #expect(await receipts(stage) == ["1 received", "2 received", "3 received"])
    }

    // MARK: The service extension

    @Test("The extension reports before the push is shown, with the app killed")
    func fromExtension() async {
        let stage = await stage(true)
        await stage.phone.terminate(stage.app)
        stage.service.set { $0.messages = [SDKMessage(position: 1, messageID: 2, content: "for the app")] }
        let push = await stage.phone.push(payload(9, mutable: true), to: stage.app)
        #expect(await stage.phone.journeys.first(of: push) { $0 == .presented(.banner) } != nil)
        #expect(await receipts(stage) == ["9 received"])
        // The app's custom message is not the extension's to take.
        #expect(stage.service.state.withLock(\.acknowledged) == [])
        guard case .login(_, _, _, _, takesMessages: false, _, _, _, _)? = stage.service.logins.last else {
            Issue.record("\(stage.service.logins)")
            return
        }
        await stage.phone.open(stage.app)
        await stage.settle()
        #expect(stage.service.state.withLock(\.acknowledged) == [1])
    }

    @Test("An extension that is not known any more leaves it to the app to register")
    func unknownExtension() async {
        let stage = await stage(true)
        await stage.phone.terminate(stage.app)
        stage.service.set { $0.forgets = true }
        let push = await stage.phone.push(payload(12, mutable: true), to: stage.app)
        #expect(await stage.phone.journeys.first(of: push) { $0 == .presented(.banner) } != nil)
        await stage.settle()
        #expect(stage.service.registrations.count == 1)
        await stage.phone.open(stage.app)
        #expect(await receipts(stage) == ["12 received"])
        #expect(stage.service.registrations.count == 1, "The app is still known.")
    }

    @Test("A push waits five seconds for a service that does not answer, and the app brings the receipt")
    func silentService() async {
        let stage = await stage(true)
        await stage.phone.terminate(stage.app)
        stage.service.set { $0.answers = false }
        let push = await stage.phone.push(payload(10, mutable: true), to: stage.app)
        await stage.settle()
        await stage.advance(by: .seconds(4))
        await stage.settle()
        #expect(!stage.phone.journeys.kinds(of: push).contains(.presented(.banner)))
        await stage.advance(by: .seconds(1))
        #expect(await stage.phone.journeys.first(of: push) { $0 == .presented(.banner) } != nil)
        stage.service.set { $0.answers = true }
        await stage.phone.open(stage.app)
        #expect(await receipts(stage) == ["10 received"])
    }

    @Test("Without a service the push is shown at once, and the app brings the receipt")
    func noService() async {
        let stage = await stage(true)
        await stage.phone.terminate(stage.app)
        stage.phone.dialer.serve(TestService.url, nil)
        let push = await stage.phone.push(payload(11, mutable: true), to: stage.app)
        #expect(await stage.phone.journeys.first(of: push) { $0 == .presented(.banner) } != nil)
        stage.phone.dialer.serve(TestService.url, stage.service)
        await stage.phone.open(stage.app)
        #expect(await receipts(stage) == ["11 received"])
    }
}
