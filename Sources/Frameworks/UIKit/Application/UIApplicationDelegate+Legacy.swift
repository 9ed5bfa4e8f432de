public import Foundation
import SystemPort

// Each default tells the probe that the app has no such method.
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        open url: URL,
        sourceApplication: String?,
        annotation: Any
    ) -> Bool { MethodProbe.missed(false) }

    public func application(_ application: UIApplication, handleOpen url: URL) -> Bool { MethodProbe.missed(false) }

    public func application(
        _ application: UIApplication,
        didRegister notificationSettings: UIUserNotificationSettings
    ) { MethodProbe.miss() }

    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        MethodProbe.miss()
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping @Sendable () -> Void
    ) { MethodProbe.miss() }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    ) { MethodProbe.miss() }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    ) { MethodProbe.miss() }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    ) { MethodProbe.miss() }
}
