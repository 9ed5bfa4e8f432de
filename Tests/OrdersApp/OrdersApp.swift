import UIKit

/// An app in a process of its own that does what pushes tell it, by the keys `atLaunch`, `atFetch`, `atPresent` and `atTap`:
/// `hang`, `hold` (its handler), `trap`, `exit`, `work` (in the background), `leave` (its process group), `count` (its badge up
/// by two), `ask` (shows an alert), `track` (starts a Live Activity), `places` (follows places); else it calls its handler.
@main
final class OrdersApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    /// Handlers that were not called.
    private var held: [Any] = []
    var window: UIWindow?
    private let places = PlaceWatch()
    private var work = UIBackgroundTaskIdentifier.invalid

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched \(getpid()) on \(UIDevice.current.name)")
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.setNotificationCategories([Self.category])
        center.requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        application.registerForRemoteNotifications()
        if launchOptions?[.location] != nil {
            print("woke for a place")
            places.wake()
        }
        let push = launchOptions?[.remoteNotification] as? [AnyHashable: Any] ?? [:]
        follow(push["atLaunch"]) {}
        return true
    }

    /// Its buttons are answered by the content extension.
    private static var category: UNNotificationCategory {
        let names = ["keep", "close", "forward", "hang", "trap", "default", "leave", "fewer"]
        let actions = names.map { UNNotificationAction(identifier: $0, title: $0) }
        return UNNotificationCategory(identifier: "order", actions: actions, intentIdentifiers: [])
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        follow(userInfo["atFetch"]) { completionHandler(.newData) }
    }

    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let link = userActivity.webpageURL else {
            print("continues \(userActivity.title ?? "-") \(userActivity.userInfo?["order"] ?? "-")")
            return true
        }
        print("continues \(link) \(application.canOpenURL(link))")
        return true
    }

    func application(
        _ application: UIApplication,
        didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) { print("cannot continue \(userActivityType)") }

    func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        print("performs \(shortcutItem.type) \(shortcutItem.userInfo?["n"] ?? "-")")
        application.shortcutItems = [
            UIApplicationShortcutItem(
                type: "cancel",
                localizedTitle: "Cancel",
                localizedSubtitle: nil,
                icon: nil,
                userInfo: ["n": 7]
            )
        ]
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        completionHandler(true)
    }

    func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult {
        print("fetches")
        return .newData
    }

    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        print("session \(identifier)")
        completionHandler()
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { print("memory") }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        follow(notification.request.content.userInfo["atPresent"]) { completionHandler([.banner, .list]) }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        follow(response.notification.request.content.userInfo["atTap"]) { completionHandler() }
    }

    private func follow(_ order: Any?, _ handler: @escaping () -> Void) {
        if let order { print("follows \(order)") }
        switch order as? String {
        case "hang": while true { pause() }
        case "hold": held.append(handler)
        case "trap": fatalError("as it was told")
        case "exit": exit(3)
        case "work":
            work = UIApplication.shared.beginBackgroundTask { [weak self] in
                if let self { UIApplication.shared.endBackgroundTask(self.work) }
            }
            handler()
        case "leave":
            print("left \(setpgid(0, getpgid(getppid())))")
            handler()
        case "count":
            for _ in 0..<2 { UIApplication.shared.applicationIconBadgeNumber += 1 }
            handler()
        case "places":
            places.wake()
            places.start()
            handler()
        case "ask":
            ask()
            handler()
        case "track":
            OrderTracking.start()
            handler()
        default: handler()
        }
    }

    private func ask() {
        let alert = UIAlertController(title: "Name?", message: nil, preferredStyle: .alert)
        alert.addTextField { $0.placeholder = "Name" }
        alert.addAction(
            UIAlertAction(title: "OK", style: .default) { [weak alert] _ in
                print("answered \(alert?.textFields?.first?.text ?? "")")
            }
        )
        if window == nil {
            window = UIWindow(frame: UIScreen.main.bounds)
            window?.rootViewController = UIViewController()
            window?.makeKeyAndVisible()
        }
        window?.rootViewController?.present(alert, animated: true)
    }
}
