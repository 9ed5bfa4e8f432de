import Foundation
import SystemPort
import UserNotifications

/// The SDK as the notification centre's delegate: it forwards to the app's ``JPUSHRegisterDelegate``.
///
/// `@unchecked Sendable`: the app's delegate need not be Sendable; the reference is read and written under the lock,
/// and the delegate is called on the main thread only.
final class JPushCenterDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private weak var current: (any JPUSHRegisterDelegate)?

    var delegate: (any JPUSHRegisterDelegate)? {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        guard let delegate else { return MethodProbe.miss() }
        let first: (UNUserNotificationCenter, UNNotification, @escaping @Sendable (Int) -> Void) -> Void =
            delegate.jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        first(center, notification) { options in
            completionHandler(UNNotificationPresentationOptions(rawValue: UInt(bitPattern: options)))
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        guard let delegate else { return MethodProbe.miss() }
        let first: (UNUserNotificationCenter, UNNotificationResponse, @escaping @Sendable () -> Void) -> Void =
            delegate.jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        first(center, response, completionHandler)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification?
    ) {
        guard let delegate: any JPUSHOptionalSpellings = delegate else { return MethodProbe.miss() }
        let first: (UNUserNotificationCenter, UNNotification?) -> Void =
            delegate.jpushNotificationCenter(_:openSettingsFor:)
        first(center, notification)
    }
}
