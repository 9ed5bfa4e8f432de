public import Foundation
public import UserNotifications

/// What ``JPUSHRegisterDelegate`` may write with `?`.
@preconcurrency public protocol JPUSHOptionalSpellings: NSObjectProtocol {
    /// The answer to ``JPUSHService/register(forRemoteNotificationConfig:delegate:)``'s question to the person.
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?)

    /// The person wants the app's own settings; from the system's settings there is no notification.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)

    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification?)
}

/// What ``JPUSHRegisterDelegate`` may write with `!`.
@preconcurrency public protocol JPUSHImplicitSpellings: NSObjectProtocol {
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!)

    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification!)

    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification!)
}
