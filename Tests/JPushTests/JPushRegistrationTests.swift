import DeviceLink
import JPush
import PosthornTesting
import PushModel
import SystemPort
import Testing
import UIKit

@testable import PushDevice

@Suite("Registration through JPUSHService")
@MainActor
struct JPushRegistrationTests {
    @Test("Events come in order on the main thread, and DidRegister once for an installation")
    func events() async {
        let stage = await JPushStage()
        await stage.setUp()
        #expect(
            stage.names == ["NetworkIsConnecting", "NetworkDidSetup", "NetworkDidRegister", "NetworkDidLogin"]
        )
        #expect(stage.posted[2].info as? [String: String] == ["RegistrationID": "19d1"])
        #expect(stage.inside { JPUSHService.registrationID() } == "19d1")

        await stage.relaunch()
        // Known before `setup`: it was kept.
        #expect(stage.inside { JPUSHService.registrationID() } == "19d1")
        await stage.setUp()
        #expect(stage.names.suffix(3) == ["NetworkIsConnecting", "NetworkDidSetup", "NetworkDidLogin"])
    }

    @Test("A refused app posts FailedRegister and the error", arguments: [1005, 1008, 1009])
    func refused(_ code: Int) async {
        let stage = await JPushStage()
        stage.service.set { $0.refusal = (code, "no") }
        await stage.setUp()
        #expect(stage.names.contains("NetworkFailedRegister"))
        let error = stage.posted.first { $0.name == "ServiceError" }?.info as? [String: String]
        #expect(error?["error"]?.contains("\(code)") == true)
        #expect(!stage.names.contains("NetworkDidLogin"))
        let later = await stage.code { JPUSHService.setTags(["a"], completion: $0, seq: 1) }
        #expect(later == code)
    }

    @Test("Without an app key the answer is 1008")
    func withoutKey() async {
        let stage = await JPushStage()
        await stage.setUp(key: "")
        let code: Int32 = await stage.answer { done in
            JPUSHService.registrationIDCompletionHandler { code, _ in done(code) }
        }
        #expect(code == 1008)
        #expect(stage.names == ["NetworkFailedRegister", "ServiceError"])
    }

    @Test("A service that cannot be reached is complained of once, and found when it is back")
    func unreachable() async {
        let stage = await JPushStage()
        stage.phone.dialer.serve(TestService.url, nil)
        await stage.setUp()
        await stage.advance(by: .seconds(30))
        await stage.settle()
        #expect(stage.names.count { $0 == "ServiceError" } == 1)
        #expect(stage.names.count { $0 == "NetworkIsConnecting" } > 3)
        stage.phone.dialer.serve(TestService.url, stage.service)
        await stage.advance(by: .seconds(60))
        await stage.settle()
        #expect(stage.names.last == "NetworkDidLogin")
    }

    @Test("An environment that is not the signing's is complained of")
    func environment() async {
        let stage = await JPushStage()
        await stage.setUp(production: true)
        let error = stage.posted.first { $0.name == "ServiceError" }?.info as? [String: String]
        #expect(error?["error"]?.contains("production") == true)
        #expect(stage.names.last == "NetworkDidLogin")
    }

    @Test("A registration that is not known any more is made anew")
    func anew() async {
        let stage = await JPushStage()
        await stage.setUp()
        stage.service.set { $0.forgets = true }
        stage.service.drop()
        await stage.advance(by: .seconds(5))
        await stage.settle()
        #expect(stage.inside { JPUSHService.registrationID() } == "19d2")
        #expect(stage.names.count { $0 == "NetworkDidRegister" } == 2)
    }

    @Test("The link closes in the background and comes back in front")
    func background() async {
        let stage = await JPushStage()
        await stage.setUp()
        await stage.phone.background(stage.app)
        await stage.settle()
        #expect(stage.names.last == "NetworkDidClose")
        await stage.advance(by: .seconds(120))
        #expect(stage.service.received.count == 1)
        await stage.phone.open(stage.app)
        await stage.settle()
        #expect(stage.names.last == "NetworkDidLogin")
    }

    @Test("A launch in the background needs no link for a token that the service has")
    func backgroundLaunch() async {
        let stage = await JPushStage(delegate: { BackgroundApp() })
        await stage.phone.background(stage.app)
        await stage.phone.terminate(stage.app)
        await stage.settle()
        let before = stage.service.received.count
        await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        await stage.settle()
        let kinds = stage.service.received.dropFirst(before).map { frame in
            switch frame {
            case .login: "login"
            case .register: "register"
            case .request(_, _, .token): "token"
            default: "other"
            }
        }
        #expect(kinds == [])
        #expect(stage.names.last == "NetworkDidClose")
    }

    @Test("With setBackgroundEnable the link stays")
    func stays() async {
        let stage = await JPushStage()
        stage.inside { JPUSHService.setBackgroundEnable(true) }
        await stage.setUp()
        await stage.phone.background(stage.app)
        await stage.settle()
        #expect(!stage.names.contains("NetworkDidClose"))
    }

    @Test("The old setup reads PushConfig.plist")
    func pushConfig() async {
        let config: JSONValue = ["APP_KEY": "from-file", "CHANNEL": "shop", "APS_FOR_PRODUCTION": "0"]
        let stage = await JPushStage(info: ["PushConfig": config])
        stage.inside { JPUSHService.setup(withOption: nil) }
        await stage.settle()
        guard case .register(let registration) = stage.service.received.first else {
            Issue.record("Nothing was registered.")
            return
        }
        #expect(registration.appKey == "from-file")
        #expect(registration.channel == "shop")
        #expect(registration.environment == .development)
    }

    @Test("The push switch stops all else with 6012, also after a relaunch")
    func pushSwitch() async {
        let stage = await JPushStage()
        await stage.setUp()
        #expect(await stage.answer { JPUSHService.setPushEnable(false, completion: $0) } == 0)
        #expect(await stage.code { JPUSHService.setTags(["a"], completion: $0, seq: 1) } == 6012)
        await stage.relaunch()
        await stage.setUp()
        #expect(await stage.code { JPUSHService.setTags(["a"], completion: $0, seq: 1) } == 6012)
        let stopped: Bool = await stage.answer { done in JPUSHService.getPushStatus { done($0 == 0 && $1) } }
        #expect(stopped)
        #expect(await stage.answer { JPUSHService.setPushEnable(true, completion: $0) } == 0)
        #expect(await stage.code { JPUSHService.setTags(["a"], completion: $0, seq: 1) } == 0)
        // The same by the names of UPS.
        #expect(await stage.answer { JPUSHService.turnOffPush($0) } == 0)
        #expect(await stage.code { JPUSHService.setTags(["a"], completion: $0, seq: 1) } == 6012)
        stage.inside { JPUSHService.turnOnPush() }
        await stage.settle()
        #expect(await stage.code { JPUSHService.setTags(["a"], completion: $0, seq: 1) } == 0)
        var asked = 0
        JGInforCollectionAuth.jCollectionAuth { items in
            items.isAuth = false
            asked += 1
        }
        #expect(asked == 1)
    }

    @Test(
        "A heartbeat out of range and too many geofences are errors",
        arguments: [(29, true), (30, false), (291, true)]
    )
    func ranges(_ seconds: Int, _ isWrong: Bool) async {
        let stage = await JPushStage()
        stage.inside { JPUSHService.setHeartBeatTimeInterval(seconds) }
        await stage.settle()
        #expect(stage.names.contains("ServiceError") == isWrong)
    }

    @Test("With a heartbeat the app says that often that it lives, while there is a link")
    func heartbeat() async {
        let stage = await JPushStage()
        await stage.setUp()
        await stage.advance(by: .seconds(300))
        #expect(stage.phone.dialer.pings == 0, "The service asks.")
        await stage.relaunch()
        stage.inside { JPUSHService.setHeartBeatTimeInterval(40) }
        await stage.setUp()
        await stage.advance(by: .seconds(119))
        #expect(stage.phone.dialer.pings == 2)
        stage.service.drop()
        await stage.advance(by: .seconds(2))
        await stage.advance(by: .seconds(45))
        #expect(stage.phone.dialer.pings == 3, "The next link has one of its own.")
        await stage.phone.background(stage.app)
        await stage.advance(by: .seconds(300))
        #expect(stage.phone.dialer.pings == 3)
    }

    @Test("A link that has ended is let go of")
    func links() async throws {
        let stage = await JPushStage()
        await stage.setUp()
        let process = try #require(stage.phone.device.port(of: stage.app.bundleID) as? AppProcess)
        for _ in 0..<5 {
            #expect(process.linkCount == 1)
            stage.service.drop()
            #expect(process.linkCount == 0)
            await stage.advance(by: .seconds(2))
        }
        stage.phone.dialer.serve(TestService.url, nil)
        stage.service.drop()
        await stage.advance(by: .seconds(60))
        #expect(process.linkCount == 0, "One that never opened has ended too.")
    }

    @Test("The status is told without asking, and the settings open")
    func status() async {
        let stage = await JPushStage()
        #expect(await stage.answer { JPUSHService.requestNotificationAuthorization($0) } == .notDetermined)
        #expect(stage.phone.device.screen.prompt == nil)
        #expect(await stage.answer { JPUSHService.openSettings(forNotification: $0) })
    }

    @Test("The old way to register asks for permission and a token")
    func oldRegister() async {
        let stage = await JPushStage()
        stage.inside { JPUSHService.register(forRemoteNotificationTypes: 7, categories: nil) }
        await stage.settle()
        #expect(await stage.answer { JPUSHService.requestNotificationAuthorization($0) } == .statusAuthorized)
        #expect(stage.phone.device.token(of: stage.app.bundleID) != nil)
    }

    @Test("Registering with no types, as plugins do at launch, asks the user nothing", arguments: [7, 9, 17])
    func noTypes(_ major: Int) async {
        let stage = await JPushStage(.iOS(major))
        func status() async -> JPAuthorizationStatus {
            await stage.answer { JPUSHService.requestNotificationAuthorization($0) }
        }
        let delegate = StatusDelegate()
        stage.inside { JPUSHService.register(forRemoteNotificationConfig: JPUSHRegisterEntity(), delegate: delegate) }
        await stage.settle()
        #expect(await status() == .notDetermined)
        #expect(delegate.heard == [.notDetermined])
        #expect(stage.phone.device.token(of: stage.app.bundleID) != nil)
        stage.inside { JPUSHService.register(forRemoteNotificationTypes: 7, categories: nil) }
        await stage.settle()
        #expect(await status() == .statusAuthorized)
    }

    @Test("Buttons of before iOS 10 go on working through the old way to register", arguments: [9, 10, 17])
    func oldButtons(_ major: Int) async {
        let stage = await JPushStage(.iOS(major))
        stage.inside {
            let action = UIMutableUserNotificationAction()
            action.identifier = "reply"
            action.title = "Reply"
            let old = UIMutableUserNotificationCategory()
            old.identifier = "message"
            old.setActions([action], for: .default)
            var all: Set<AnyHashable> = [old]
            if major >= 10 {
                all.insert(UNNotificationCategory(identifier: "new", actions: [], intentIdentifiers: []))
            }
            JPUSHService.register(forRemoteNotificationTypes: 7, categories: all)
        }
        await stage.settle()
        await stage.phone.background(stage.app)
        let push = await stage.phone.push(["aps": ["alert": "Hi", "category": "message"]], to: stage.app)
        #expect(stage.phone.device.longPress(push).map(\.title) == ["Reply"])
        #expect(await stage.phone.choose("reply", on: push) == .done)
        let names = stage.phone.device.categories(of: stage.app.bundleID).map(\.identifier).sorted()
        #expect(names == (major < 10 ? ["message"] : ["message", "new"]))
    }
}

/// Hears what the user allows.
private final class StatusDelegate: NSObject, JPUSHRegisterDelegate {
    var heard: [JPAuthorizationStatus] = []

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {
        heard.append(status)
    }
}

/// Starts the SDK whenever it is launched.
private final class BackgroundApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        JPUSHService.setup(withOption: launchOptions, appKey: "key", channel: nil, apsForProduction: false)
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        JPUSHService.registerDeviceToken(deviceToken)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(.newData)
    }
}
