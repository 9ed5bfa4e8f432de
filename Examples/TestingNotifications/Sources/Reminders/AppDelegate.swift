import UIKit
import UserNotifications

/// The app: a daily reminder, and pushes that open a note or fetch new ones in the background.
public final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// The note named in the `note` of a tapped push.
    public private(set) var openedNote: String?
    public private(set) var backgroundFetches = 0

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        application.registerForRemoteNotifications()
        return true
    }

    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        backgroundFetches += 1
        completionHandler(.newData)
    }
}

extension AppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        openedNote = response.notification.request.content.userInfo["note"] as? String
        completionHandler()
    }
}
