import Foundation
import UIKit

#if canImport(JPush)
import JPush
#endif

// iOS 7 to 9: one method for each event. At a tap the app is moving to the foreground, at an arrival it is not.

extension AppDelegate {
    /// Whether the call is a tap: before iOS 10 a tap brings the app to the foreground and calls the same method as an
    /// arrival.
    ///
    /// The state alone is not enough: an app in the foreground is also inactive while the Control Centre, a call or an
    /// alert covers it.
    func isTap(in application: UIApplication) -> Bool {
        if case .center = Generation.current { return false }
        return isComingForward && application.applicationState == .inactive
    }

    /// Opens a local notification whose tap launched the app: only the launch options report it. A push is also
    /// reported by the method for pushes.
    func openLaunchNotification(_ launchOptions: [UIApplication.LaunchOptionsKey: Any]?) {
        guard let notification = launchOptions?[.localNotification] as? UILocalNotification else { return }
        log.add("launchOptions[.localNotification]", notification.alertBody ?? "")
        follow(notification.userInfo ?? [:])
    }

    /// Opens a deep link on iOS 7 and 8.
    public func application(
        _ application: UIApplication,
        open url: URL,
        sourceApplication: String?,
        annotation: Any
    ) -> Bool {
        log.add("application(_:open:sourceApplication:annotation:)", url.absoluteString)
        return follow(url)
    }

    /// Receives the types that the user granted.
    public func application(
        _ application: UIApplication,
        didRegister notificationSettings: UIUserNotificationSettings
    ) {
        log.add("application(_:didRegister:)", "types \(notificationSettings.types.rawValue)")
    }

    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        log.add("application(_:didReceive:)", notification.alertBody ?? "")
        if isTap(in: application) {
            follow(notification.userInfo ?? [:])
        } else {
            // In the foreground the system does not show it.
            JPUSHService.showLocalNotification(atFront: notification, identifierKey: nil)
        }
    }

    // MARK: Buttons of iOS 8

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping () -> Void
    ) {
        log.add("application(_:handleActionWithIdentifier:for:completionHandler:)", identifier ?? "")
        act(identifier, writing: nil, on: notification.userInfo ?? [:])
        completionHandler()
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        log.add("application(_:handleActionWithIdentifier:forRemoteNotification:completionHandler:)", identifier ?? "")
        JPUSHService.handleRemoteNotification(userInfo)
        act(identifier, writing: nil, on: userInfo)
        completionHandler()
    }

    // MARK: Buttons of iOS 9, which may ask for text

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        log.add(
            "application(_:handleActionWithIdentifier:for:withResponseInfo:completionHandler:)",
            identifier ?? ""
        )
        act(identifier, writing: typed(responseInfo), on: notification.userInfo ?? [:])
        completionHandler()
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        log.add(
            "application(_:handleActionWithIdentifier:forRemoteNotification:withResponseInfo:completionHandler:)",
            identifier ?? ""
        )
        JPUSHService.handleRemoteNotification(userInfo)
        act(identifier, writing: typed(responseInfo), on: userInfo)
        completionHandler()
    }

    private func typed(_ responseInfo: [AnyHashable: Any]) -> String? {
        responseInfo[UIUserNotificationActionResponseTypedTextKey] as? String
    }
}
