import Foundation
import UIKit

#if canImport(JPush)
import JPush
#endif

// iOS 7 to 9: one method for each thing that can happen. At a tap the app is on its way to the front, at an arrival it is not.

extension AppDelegate {
    /// Before iOS 10 a tap brings the app forward and calls the same method as an arrival does.
    ///
    /// The state alone does not tell: an app in front is inactive too while the Control Centre, a call or an alert covers it.
    func isTap(in application: UIApplication) -> Bool {
        if case .center = Generation.current { return false }
        return isComingForward && application.applicationState == .inactive
    }

    /// The tap on a local notification that launches the app is told by the launch alone; on a push, by the method for
    /// pushes too.
    func openLaunchNotification(_ launchOptions: [UIApplication.LaunchOptionsKey: Any]?) {
        guard let notification = launchOptions?[.localNotification] as? UILocalNotification else { return }
        log.add("launchOptions[.localNotification]", notification.alertBody ?? "")
        follow(notification.userInfo ?? [:])
    }

    /// What the person has granted.
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
            // In front the system shows nothing of it.
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
