import UIKit

// An app with scenes whose delegates derive from NSObject: links of its website, quick actions, windows.
final class SceneShopApp: NSObject, UIApplicationDelegate {
    let startedWith: String
    private(set) var memoryWarnings = 0
    private(set) var fetches = 0
    private(set) var sessions: [String] = []

    // No `required`: the class has stored properties of its own.
    override init() {
        startedWith = "init()"
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        application.setMinimumBackgroundFetchInterval(3600)
        application.shortcutItems = [
            UIApplicationShortcutItem(
                type: "order.again",
                localizedTitle: "Order again",
                localizedSubtitle: "Tea",
                icon: UIApplicationShortcutIcon(systemImageName: "cup.and.saucer"),
                userInfo: ["order": "41" as NSString]
            )
        ]
        return true
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = ShopSceneDelegate.self
        return configuration
    }

    func application(
        _ application: UIApplication,
        supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask {
        UIDevice.current.userInterfaceIdiom == .pad ? .all : [.landscapeLeft, .landscapeRight]
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { memoryWarnings += 1 }

    func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult {
        fetches += 1
        return .noData
    }

    func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async {
        sessions.append(identifier)
    }
}

final class ShopSceneDelegate: NSObject, UIWindowSceneDelegate {
    var window: UIWindow?
    private(set) var log: [String] = []
    private let started = Date()

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UIViewController()
        self.window = window
        window.makeKeyAndVisible()
        if let activity = connectionOptions.userActivities.first {
            log.append("connected for \(activity.webpageURL?.absoluteString ?? activity.activityType)")
        }
        if let item = connectionOptions.shortcutItem { log.append("connected for \(item.type)") }
    }

    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
        log.append("will continue \(userActivityType)")
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        guard userActivity.activityType == NSUserActivityTypeBrowsingWeb, let url = userActivity.webpageURL else {
            log.append("continue \(userActivity.userInfo?["order"] as? String ?? "nothing")")
            return
        }
        log.append("continue \(url.path)")
    }

    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: Error) {
        log.append("failed \((error as NSError).code)")
    }

    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {
        log.append("saved \(userActivity.title ?? "")")
    }

    func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        log.append("perform \(shortcutItem.type) \(shortcutItem.userInfo?["order"] as? String ?? "")")
        return true
    }
}

/// A screen whose order can be continued on another device.
final class OrderScreen: UIViewController {
    private(set) var restored: [String] = []

    func show(order: String) {
        let activity = NSUserActivity(activityType: "com.example.order")
        activity.title = "Order \(order)"
        activity.userInfo = ["order": order]
        activity.isEligibleForHandoff = true
        userActivity = activity
        activity.becomeCurrent()
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        activity.addUserInfoEntries(from: ["note": "no sugar"])
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        restored.append(userActivity.userInfo?["order"] as? String ?? "")
    }
}
