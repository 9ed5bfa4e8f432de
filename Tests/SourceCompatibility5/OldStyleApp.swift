import UIKit
import UserNotifications

// Swift 5 mode: an app of 2017, with global state and a delegate that never heard of actors.
var receivedPayloads: [[AnyHashable: Any]] = []

public class OldStyleApp: UIResponder, UIApplicationDelegate {
    public var payloads: [[AnyHashable: Any]] { receivedPayloads }
    public var window: UIWindow?
    public var token: String?
    public var openedHost: String?

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.requestAuthorization(options: [.badge, .sound, .alert]) { (granted, error) in
            if granted {
                DispatchQueue.main.async {
                    application.registerForRemoteNotifications()
                }
            }
        }
        return true
    }

    public func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        openedHost = url.host
        return url.scheme == "old"
    }

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        token = deviceToken.map { String(format: "%02.2hhx", $0) }.joined()
    }

    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: Error
    ) {
        print("Registration failed: \(error)")
    }
}

extension OldStyleApp: UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let userInfo = notification.request.content.userInfo
        if notification.request.trigger is UNPushNotificationTrigger { receivedPayloads.append(userInfo) }
        completionHandler([.sound, .alert])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        receivedPayloads.append(response.notification.request.content.userInfo)
        UIApplication.shared.applicationIconBadgeNumber = 0
        completionHandler()
    }
}
