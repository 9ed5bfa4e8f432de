#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import UIKit
import UserNotifications

extension JPUSHService {
    /// Schedules a local notification, replacing one with the same identifier, or shows it at once.
    public class func addNotification(_ request: JPushNotificationRequest!) {
        if let request { CenterNotifications(client: client).add(request) }
    }

    /// Removes the pending or delivered notifications that the identifier selects; nil removes all of both.
    public class func removeNotification(_ identifier: JPushNotificationIdentifier!) {
        CenterNotifications(client: client).remove(identifier)
    }

    /// Calls the identifier's handler with the pending or delivered notifications.
    public class func findNotification(_ identifier: JPushNotificationIdentifier!) {
        guard let identifier, let handler = identifier.findCompletionHandler else {
            return client.warn("findNotification needs a findCompletionHandler.")
        }
        CenterNotifications(client: client).find(identifier, handler)
    }

    // MARK: Before iOS 10

    /// Shows a notification that arrives in front as an alert, before iOS 10. No effect on later systems.
    @available(iOS, deprecated: 10.0, message: "Use the delegate of register(forRemoteNotificationConfig:delegate:).")
    public class func showLocalNotification(
        atFront notification: UILocalNotification!,
        identifierKey notificationKey: String!
    ) {}

    /// Removes the local notifications with this key.
    public class func deleteLocalNotification(withIdentifierKey notificationKey: String!) {
        guard let notificationKey else { return }
        UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [notificationKey])
    }

    /// Removes all pending local notifications.
    public class func clearAllLocalNotifications() {
        UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
    }
}

#endif
