import UIKit
import UserNotifications

// An app as Xcode's template makes it, with a deep link in its pushes that opens a screen.
class OrdersAppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, _ in
            guard granted else { return }
            DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
        }
        return true
    }

    // MARK: UISceneSession Lifecycle

    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .list, .sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        guard let link = response.notification.request.content.userInfo["link"] as? String else { return }
        let scene = response.targetScene ?? UIApplication.shared.connectedScenes.first
        (scene?.delegate as? OrdersSceneDelegate)?.router.open(link)
    }
}

class OrdersSceneDelegate: UIResponder, UIWindowSceneDelegate {

    var window: UIWindow?
    let router = OrdersRouter()

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = (scene as? UIWindowScene) else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = router.root
        self.window = window
        window.makeKeyAndVisible()
        if let response = connectionOptions.notificationResponse,
            let link = response.notification.request.content.userInfo["link"] as? String
        {
            router.open(link)
        }
        self.scene(scene, openURLContexts: connectionOptions.urlContexts)
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        guard let context = URLContexts.first else { return }
        print("From \(context.options.sourceApplication ?? "nobody that is known")")
        router.open(context.url.absoluteString)
    }

    func sceneDidDisconnect(_ scene: UIScene) {
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        UNUserNotificationCenter.current().setBadgeCount(0)
    }

    func sceneWillResignActive(_ scene: UIScene) {
    }

    func sceneWillEnterForeground(_ scene: UIScene) {
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
    }
}

/// Shows the order of a link, once: the system tells of a tap that launches the app in two places.
@MainActor
final class OrdersRouter {
    let root = UIViewController()
    private(set) var opened: [String] = []
    private(set) var calls = 0

    func open(_ link: String) {
        calls += 1
        guard let url = URL(string: link), url.host == "orders", opened.last != url.lastPathComponent else { return }
        opened.append(url.lastPathComponent)
        root.title = "Order \(url.lastPathComponent)"
    }
}
