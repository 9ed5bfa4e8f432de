#if os(Linux) && canImport(UIKit) && !canImport(ObjectiveC)

public import Foundation
public import UserNotifications

/// The methods of ``JPUSHRegisterDelegate`` that may be written with `?`.
@preconcurrency public protocol JPUSHOptionalSpellings: NSObjectProtocol {
    /// The user's answer to the prompt of ``JPUSHService/register(forRemoteNotificationConfig:delegate:)``.
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?)

    /// The user opens the app's own settings; from the system's settings there is no notification.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)

    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification?)
}

/// The methods of ``JPUSHRegisterDelegate`` that may be written with `!`.
@preconcurrency public protocol JPUSHImplicitSpellings: NSObjectProtocol {
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!)

    /// The same method of ``JPUSHRegisterDelegate``, with an implicitly unwrapped type.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification!)

    /// The same method of ``JPUSHRegisterDelegate``, with implicitly unwrapped types.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification!)
}

#endif
