#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import UserNotifications

#if !canImport(ObjectiveC)
import SystemPort
#endif

/// The SDK as the notification centre's delegate: it forwards to the app's ``JPUSHRegisterDelegate``.
final class CenterDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    private let delegates: DelegateBox

    init(_ delegates: DelegateBox) { self.delegates = delegates }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        // A header need not say that a handler is Sendable.
        let handler = Boxed(completionHandler)
        let answer: @Sendable (Int) -> Void = { bits in
            handler.value(UNNotificationPresentationOptions(rawValue: UInt(bitPattern: bits)))
        }
        #if canImport(ObjectiveC)
        guard let present = delegates.register?.jpushNotificationCenter(_:willPresent:withCompletionHandler:) else {
            return answer(0)
        }
        present(center, notification, answer)
        #else
        guard let delegate = delegates.register else { return MethodProbe.miss() }
        let first: (UNUserNotificationCenter, UNNotification, @escaping @Sendable (Int) -> Void) -> Void =
            delegate.jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        first(center, notification, answer)
        #endif
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let handler = Boxed(completionHandler)
        if response.actionIdentifier != UNNotificationDismissActionIdentifier {
            PushCore.current.noteOpened(response.notification.request.content.userInfo)
        }
        #if canImport(ObjectiveC)
        guard let receive = delegates.register?.jpushNotificationCenter(_:didReceive:withCompletionHandler:) else {
            return completionHandler()
        }
        receive(center, response) { handler.value() }
        #else
        guard let delegate = delegates.register else { return MethodProbe.miss() }
        let first: (UNUserNotificationCenter, UNNotificationResponse, @escaping @Sendable () -> Void) -> Void =
            delegate.jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        first(center, response) { handler.value() }
        #endif
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
        #if canImport(ObjectiveC)
        // The method of the SDK takes no nil, which the system gives for its own settings.
        if let notification { delegates.register?.jpushNotificationCenter?(center, openSettingsFor: notification) }
        #else
        guard let delegate: any JPUSHOptionalSpellings = delegates.register else { return MethodProbe.miss() }
        let first: (UNUserNotificationCenter, UNNotification?) -> Void =
            delegate.jpushNotificationCenter(_:openSettingsFor:)
        first(center, notification)
        #endif
    }
}

#endif
