import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

extension InstalledApp {
    /// As Xcode's template declares it.
    static let scenes = InstalledApp(
        bundleID: "com.example.scenes",
        info: [
            "UIApplicationSceneManifest": [
                "UIApplicationSupportsMultipleScenes": false,
                "UISceneConfigurations": [
                    "UIWindowSceneSessionRoleApplication": [
                        [
                            "UISceneConfigurationName": "Default Configuration",
                            "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).RecordingScene",
                        ]
                    ]
                ],
            ]
        ]
    )
    fileprivate static let undeclared = InstalledApp(bundleID: "com.example.scenes")
}

/// Hears of everything that a scene goes through.
final class RecordingScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    var connectedFor: UNNotificationResponse?
    var states: [UIScene.ActivationState] = []

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        states.append(scene.activationState)
        connectedFor = connectionOptions.notificationResponse
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UIViewController()
        self.window = window
        window.makeKeyAndVisible()
    }

    func sceneDidDisconnect(_ scene: UIScene) { states.append(scene.activationState) }
    func sceneWillEnterForeground(_ scene: UIScene) { states.append(scene.activationState) }
    func sceneWillResignActive(_ scene: UIScene) { states.append(scene.activationState) }
    func sceneDidEnterBackground(_ scene: UIScene) { states.append(scene.activationState) }

    func sceneDidBecomeActive(_ scene: UIScene) {
        states.append(scene.activationState)
        // Too late for the tap that launched the app: only the connection knows of that.
        if let app = UIApplication.shared.delegate as? LateApp { UNUserNotificationCenter.current().delegate = app }
    }
}

/// An app with scenes, and with the app delegate's life cycle that they take over.
class SceneApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    var launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    var responses: [UNNotificationResponse] = []
    var targets: [UIScene?] = []
    var fetched = 0
    var setsDelegate: Bool { true }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.launchOptions = launchOptions
        if setsDelegate { UNUserNotificationCenter.current().delegate = self }
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }

    func applicationWillEnterForeground(_ application: UIApplication) {}
    func applicationDidBecomeActive(_ application: UIApplication) {}
    func applicationWillResignActive(_ application: UIApplication) {}
    func applicationDidEnterBackground(_ application: UIApplication) {}

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        fetched += 1
        completionHandler(.noData)
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {}

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        responses.append(response)
        targets.append(response.targetScene)
        completionHandler()
    }
}

/// Sets the centre's delegate when its scene is active, and no sooner.
private final class LateApp: SceneApp {
    override var setsDelegate: Bool { false }
}

/// Declares nothing, and configures its scene in code.
final class ConfiguringApp: UIResponder, UIApplicationDelegate {
    func applicationDidBecomeActive(_ application: UIApplication) {}

    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = RecordingScene.self
        return configuration
    }
}

@Suite("Scenes")
@MainActor
struct SceneTests {
    private func phone(
        _ profile: SystemProfile = .iOS(17),
        app: InstalledApp = .scenes,
        _ make: @escaping @MainActor @Sendable () -> any UIApplicationDelegate = { SceneApp() }
    ) async -> TestPhone {
        let phone = TestPhone(profile)
        phone.install(app, delegate: make)
        await phone.open(app)
        return phone
    }

    private func scene(_ phone: TestPhone) -> RecordingScene? {
        phone.device.inside(InstalledApp.scenes.bundleID) {
            UIApplication.shared.connectedScenes.first?.delegate as? RecordingScene
        } ?? nil
    }

    private func app(_ phone: TestPhone) throws -> SceneApp {
        try #require(phone.device.delegate(of: InstalledApp.scenes.bundleID, as: SceneApp.self))
    }

    @Test("A cold tap tells the scene at its connection, and the centre's delegate besides; the launch has no options")
    func coldTap() async throws {
        let phone = await phone()
        await phone.forceQuit(.scenes)
        let push = await phone.push(.alert, to: .scenes)
        let start = phone.device.recentDeviceEvents.count
        await phone.tap(push)
        #expect(
            phone.device.callbacks(from: start) == [
                "application(_:didFinishLaunchingWithOptions:)@inactive",
                "scene(_:willConnectTo:options:)@inactive",
                "sceneWillEnterForeground(_:)@inactive",
                "userNotificationCenter(_:didReceive:withCompletionHandler:)@inactive",
                "sceneDidBecomeActive(_:)@active",
            ]
        )
        let app = try self.app(phone)
        let scene = try #require(self.scene(phone))
        #expect(app.launchOptions == nil)
        #expect(scene.connectedFor?.notification.request.content.title == "Hi")
        #expect(app.responses == [scene.connectedFor])
        #expect(app.targets.first??.delegate === scene)
        #expect(scene.states == [.unattached, .background, .foregroundActive])
        #expect(phone.journeys.callbacks(of: push).contains("scene(_:willConnectTo:options:)@inactive"))
    }

    @Test("A warm tap connects nothing anew")
    func warmTap() async throws {
        let phone = await phone()
        await phone.background(.scenes)
        let push = await phone.push(.alert, to: .scenes)
        let start = phone.device.recentDeviceEvents.count
        await phone.tap(push)
        #expect(
            phone.device.callbacks(from: start) == [
                "sceneWillEnterForeground(_:)@background",
                "userNotificationCenter(_:didReceive:withCompletionHandler:)@inactive",
                "sceneDidBecomeActive(_:)@active",
            ]
        )
        let scene = try #require(self.scene(phone))
        #expect(scene.connectedFor == nil)
        #expect(
            scene.states == [
                .unattached, .background, .foregroundActive, .foregroundActive, .foregroundActive, .foregroundActive,
                .background, .background, .foregroundActive,
            ]
        )
    }

    @Test("A delegate that is set when the scene is active hears of the launching tap at the connection only")
    func lateDelegate() async throws {
        let phone = await phone(.iOS(17), app: .scenes) { LateApp() }
        await phone.forceQuit(.scenes)
        await phone.tap(await phone.push(.alert, to: .scenes))
        #expect(scene(phone)?.connectedFor?.actionIdentifier == UNNotificationDefaultActionIdentifier)
        #expect(try app(phone).responses.isEmpty)
        #expect(try app(phone).fetched == 0)
        await phone.background(.scenes)
        await phone.tap(await phone.push(.alert, to: .scenes))
        #expect(try app(phone).responses.count == 1)
    }

    @Test("A silent push starts the app without a scene; it is connected when the user opens the app")
    func backgroundLaunch() async throws {
        let phone = await phone()
        await phone.terminate(.scenes)
        let start = phone.device.recentDeviceEvents.count
        await phone.push(.silent, to: .scenes)
        #expect(scene(phone) == nil)
        #expect(try app(phone).launchOptions?[.remoteNotification] != nil)
        await phone.open(.scenes)
        #expect(
            phone.device.callbacks(from: start) == [
                "application(_:didFinishLaunchingWithOptions:)@background",
                "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)@background",
                "scene(_:willConnectTo:options:)@background",
                "sceneWillEnterForeground(_:)@background",
                "sceneDidBecomeActive(_:)@active",
            ]
        )
        #expect(scene(phone)?.connectedFor == nil)
    }

    @Test("A swipe in the app switcher disconnects the scene and discards its session")
    func forceQuit() async {
        let phone = await phone()
        let start = phone.device.recentDeviceEvents.count
        await phone.forceQuit(.scenes)
        #expect(
            phone.device.callbacks(from: start) == [
                "sceneWillResignActive(_:)@active",
                "sceneDidEnterBackground(_:)@background",
                "sceneDidDisconnect(_:)@background",
                "application(_:didDiscardSceneSessions:)@background",
            ]
        )
    }

    @Test("An app that configures its scene in code needs no manifest")
    func configured() async {
        let phone = await phone(.iOS(17), app: .undeclared) { ConfiguringApp() }
        #expect(
            phone.device.callbacks() == [
                "application(_:configurationForConnecting:options:)@inactive",
                "scene(_:willConnectTo:options:)@inactive",
                "sceneWillEnterForeground(_:)@inactive",
                "sceneDidBecomeActive(_:)@active",
            ]
        )
    }

    @Test("Before iOS 13, and without a word of scenes, the app's delegate hears", arguments: [12, 17])
    func without(_ system: Int) async {
        let app = system < 13 ? InstalledApp.scenes : .undeclared
        let phone = await phone(.iOS(system), app: app)
        #expect(scene(phone) == nil)
        #expect(
            phone.device.callbacks() == [
                "application(_:didFinishLaunchingWithOptions:)@inactive",
                "applicationDidBecomeActive(_:)@active",
                // The prompt that it asks for.
                "applicationWillResignActive(_:)@active",
                "applicationDidBecomeActive(_:)@active",
            ]
        )
    }

    @Test("Before iOS 13 the launch options of a tap are there, whatever the Info.plist says")
    func olderOptions() async throws {
        let phone = await phone(.iOS(12))
        await phone.forceQuit(.scenes)
        await phone.tap(await phone.push(.alert, to: .scenes))
        #expect(try app(phone).launchOptions?[.remoteNotification] != nil)
        #expect(try app(phone).responses.count == 1)
        #expect(try app(phone).targets == [nil])
    }

    @Test("Scene and app post their notifications")
    func posts() async throws {
        let phone = await phone()
        let scene = try #require(
            await phone.device.inside(InstalledApp.scenes.bundleID) { UIApplication.shared.connectedScenes.first }
                ?? nil
        )
        @MainActor final class Log { var posted: [NSNotification.Name] = [] }
        let log = Log()
        let names = [
            UIScene.willDeactivateNotification, UIScene.didEnterBackgroundNotification,
            UIScene.willEnterForegroundNotification, UIScene.didActivateNotification,
            UIScene.didDisconnectNotification,
        ]
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: scene, queue: nil) { note in
                let name = note.name
                MainActor.assumeIsolated { log.posted.append(name) }
            }
        }
        let active = UIApplication.didBecomeActiveNotification
        let token = NotificationCenter.default.addObserver(forName: active, object: nil, queue: nil) { note in
            let name = note.name
            // The centre is the process's: other apps of this test run post there too.
            MainActor.assumeIsolated {
                if UIApplication.shared.connectedScenes.contains(scene) { log.posted.append(name) }
            }
        }
        await phone.background(.scenes)
        await phone.open(.scenes)
        await phone.forceQuit(.scenes)
        for token in tokens + [token] { NotificationCenter.default.removeObserver(token) }
        #expect(log.posted == names[0...3] + [active, names[0], names[1], names[4]])
    }

    @Test("From a view the responder chain leads to the app's delegate")
    func responders() async throws {
        let phone = await phone()
        let window = try #require(scene(phone)?.window)
        let chain = await phone.device.inside(InstalledApp.scenes.bundleID) {
            let leaf = UIView()
            window.rootViewController?.view.addSubview(leaf)
            return Array(sequence(first: leaf as UIResponder) { $0.next }).map { String(describing: type(of: $0)) }
        }
        #expect(
            chain == [
                "UIView", "UIView", "UIViewController", "UIWindow", "UIWindowScene", "UIApplication", "SceneApp",
            ]
        )
        let scene = try #require(window.windowScene)
        #expect(scene.windows == [window] && scene.keyWindow === window && scene.session.scene === scene)
        #expect(scene.session.configuration.name == "Default Configuration")
    }
}
