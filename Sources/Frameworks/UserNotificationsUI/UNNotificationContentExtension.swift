public import Foundation
import SystemPort
public import UserNotifications

/// What becomes of the expanded view after a button. Raw values: Apple, `UNNotificationContentExtensionResponseOption`.
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
    case doNotDismiss = 0
    case dismiss = 1
    case dismissAndForwardAction = 2
}

/// The expanded view of a notification, as a view controller of the app's content extension.
@MainActor
@preconcurrency public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// The person has pressed the notification long; also for a newer one of the same thread while the view is open.
    func didReceive(_ notification: UNNotification)

    /// The person chose a button. Without this method the app hears of it at once.
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    )
}

extension UNNotificationContentExtension {
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        MethodProbe.miss()
        completion(.dismissAndForwardAction)
    }
}
