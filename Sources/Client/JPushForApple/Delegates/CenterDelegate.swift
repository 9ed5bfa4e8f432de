#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import UserNotifications

/// The notification centre's delegate, which forwards to the app's ``JPUSHRegisterDelegate``.
final class CenterDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        let answer: @Sendable (Int) -> Void = { bits in
            completionHandler(UNNotificationPresentationOptions(rawValue: UInt(bitPattern: bits)))
        }
        guard let delegate = PushCore.shared.delegates.register else { return answer(0) }
        #if canImport(ObjectiveC)
        guard let present = delegate.jpushNotificationCenter(_:willPresent:withCompletionHandler:) else {
            return answer(0)
        }
        present(center, notification, answer)
        #else
        delegate.jpushNotificationCenter(center, willPresent: notification, withCompletionHandler: answer)
        #endif
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let userInfo = response.notification.request.content.userInfo
        if response.actionIdentifier != UNNotificationDismissActionIdentifier { PushCore.shared.noteOpened(userInfo) }
        guard let delegate = PushCore.shared.delegates.register else { return completionHandler() }
        #if canImport(ObjectiveC)
        guard let receive = delegate.jpushNotificationCenter(_:didReceive:withCompletionHandler:) else {
            return completionHandler()
        }
        receive(center, response, completionHandler)
        #else
        delegate.jpushNotificationCenter(center, didReceive: response, withCompletionHandler: completionHandler)
        #endif
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
        // The method of the SDK takes no nil, which the system gives for its own settings.
        guard let delegate = PushCore.shared.delegates.register, let notification else { return }
        #if canImport(ObjectiveC)
        delegate.jpushNotificationCenter?(center, openSettingsFor: notification)
        #else
        delegate.jpushNotificationCenter(center, openSettingsFor: notification)
        #endif
    }
}

#endif
