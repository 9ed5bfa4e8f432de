#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import UserNotifications

#if canImport(ObjectiveC)

/// Receives notifications in place of the notification centre's delegate. Every method is optional.
@objc(JPUSHRegisterDelegate)
public protocol JPUSHRegisterDelegate: NSObjectProtocol {
    /// A notification arrives in front. The handler takes the raw bits of `UNNotificationPresentationOptions`.
    @objc(jpushNotificationCenter:willPresentNotification:withCompletionHandler:)
    optional func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    )

    /// The user acted on a notification.
    @objc(jpushNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:)
    optional func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )

    /// The user opens the app's own settings from a notification.
    @objc(jpushNotificationCenter:openSettingsForNotification:)
    optional func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification
    )

    /// The user's answer to the prompt.
    @objc(jpushNotificationAuthorization:withInfo:)
    optional func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?)
}

#else

/// Receives notifications in place of the notification centre's delegate. Every method is optional.
@preconcurrency public protocol JPUSHRegisterDelegate: NSObjectProtocol {
    /// A notification arrives in front. The handler takes the raw bits of `UNNotificationPresentationOptions`.
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    )

    /// The user acted on a notification.
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )

    /// The user opens the app's own settings from a notification.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification)

    /// The user's answer to the prompt.
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?)
}

extension JPUSHRegisterDelegate {
    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        completionHandler(0)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification
    ) {}

    public func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {}
}

#endif

#endif
