import UIKit
import UserNotifications

// Never created: the methods of both delegates as an app in Swift 5 mode writes them with `async`. They compile without a warning.

class AsyncDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        userInfo["aps"] == nil ? .noData : .newData
    }

    func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        shortcutItem.type == "open"
    }

    func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult { .noData }

    func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async {}

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {}
}

class AsyncSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        window != nil
    }
}
