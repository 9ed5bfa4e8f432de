#if os(iOS) || os(Linux) && canImport(UIKit)

import CoreLocation
import Foundation
import UIKit
import UserNotifications

extension JPUSHService {
    /// Schedules a local notification, replacing one with the same identifier, or shows it at once.
    public class func addNotification(_ request: JPushNotificationRequest!) {
        guard let request else { return }
        let handler = MainCall(request.completionHandler)
        let trigger: UNNotificationTrigger?
        do {
            trigger = try request.trigger?.systemTrigger()
        } catch {
            let name = request.requestIdentifier ?? ""
            PushCore.shared.log("The notification '\(name)' was refused: \(error)", isError: true)
            return handler.call { $0?(nil) }
        }
        let system = UNNotificationRequest(
            identifier: request.requestIdentifier ?? "",
            content: (request.content ?? JPushNotificationContent()).systemContent,
            trigger: trigger
        )
        let added = Boxed(system)
        UNUserNotificationCenter.current().add(system) { error in
            let name = added.value.identifier
            if let error { PushCore.shared.log("The notification '\(name)' was refused: \(error)", isError: true) }
            let isAdded = error == nil
            handler.call { $0?(isAdded ? added.value : nil) }
        }
    }

    /// Removes the pending or delivered notifications that the identifier selects; nil removes all of both.
    public class func removeNotification(_ identifier: JPushNotificationIdentifier!) {
        let center = UNUserNotificationCenter.current()
        guard let identifier else {
            center.removeAllPendingNotificationRequests()
            return center.removeAllDeliveredNotifications()
        }
        let names = identifier.identifiers ?? []
        switch (identifier.delivered, names.isEmpty) {
        case (true, true): center.removeAllDeliveredNotifications()
        case (true, false): center.removeDeliveredNotifications(withIdentifiers: names)
        case (false, true): center.removeAllPendingNotificationRequests()
        case (false, false): center.removePendingNotificationRequests(withIdentifiers: names)
        }
    }

    /// Calls the identifier's handler with the pending or delivered notifications.
    public class func findNotification(_ identifier: JPushNotificationIdentifier!) {
        guard let identifier, let completion = identifier.findCompletionHandler else {
            return PushCore.shared.log("findNotification needs a findCompletionHandler.", isError: true)
        }
        let handler = MainCall(completion)
        let names = Set(identifier.identifiers ?? [])
        let center = UNUserNotificationCenter.current()
        if identifier.delivered {
            center.getDeliveredNotifications { all in
                let found = Boxed(all.filter { names.isEmpty || names.contains($0.request.identifier) })
                handler.call { $0?(found.value) }
            }
        } else {
            center.getPendingNotificationRequests { all in
                let found = Boxed(all.filter { names.isEmpty || names.contains($0.identifier) })
                handler.call { $0?(found.value) }
            }
        }
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
