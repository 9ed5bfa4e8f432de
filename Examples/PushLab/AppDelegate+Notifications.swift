import Foundation
import UIKit
import UserNotifications

#if canImport(JPush)
import JPush
#endif

// From iOS 10 on: the notification centre calls JPush, and JPush calls the app.

extension AppDelegate: @preconcurrency JPUSHRegisterDelegate {
    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        log.add("jpushNotificationCenter(_:willPresent:withCompletionHandler:)", notification.request.content.title)
        log.recorder.add(notification)
        report(notification)
        completionHandler(Int(UNNotificationPresentationOptions([.banner, .list, .sound, .badge]).rawValue))
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let content = response.notification.request.content
        let isRemote = response.notification.request.trigger is UNPushNotificationTrigger
        log.add(
            "jpushNotificationCenter(_:didReceive:withCompletionHandler:)",
            "\(response.actionIdentifier) \(isRemote ? "remote" : "local") \(content.title)"
        )
        log.recorder.add(response)
        report(response.notification)
        act(on: response)
        completionHandler()
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification
    ) {
        log.add("jpushNotificationCenter(_:openSettingsFor:)", notification.request.content.title)
    }

    public func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {
        log.add("jpushNotificationAuthorization(_:withInfo:)", "\(status)")
    }

    /// Reports to the service that the push was received, or that the user has opened it; the SDK knows which.
    private func report(_ notification: UNNotification) {
        guard notification.request.trigger is UNPushNotificationTrigger else { return }
        JPUSHService.handleRemoteNotification(notification.request.content.userInfo)
    }
}
