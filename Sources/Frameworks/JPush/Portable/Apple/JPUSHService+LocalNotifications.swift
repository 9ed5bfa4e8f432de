#if os(iOS)

public import CoreLocation
import Foundation
public import UIKit
import UserNotifications

// Local notifications before iOS 10, in the notification centre: the app's name for one is the identifier of its request. The system
// has no button in them, so their action is lost.
extension JPUSHService {
    /// Schedules a local notification under a name chosen by the app; a badge of -1 leaves the icon unchanged, and without a sound it
    /// has the system's. Nil for a date that is not in the future.
    @discardableResult
    @available(iOS, deprecated: 10.0, message: "Use addNotification(_:).")
    public class func setLocalNotification(
        _ fireDate: Date!,
        alertBody: String!,
        badge: Int32,
        alertAction: String!,
        identifierKey notificationKey: String!,
        userInfo: [AnyHashable: Any]!,
        soundName: String!
    ) -> UILocalNotification! {
        setLocalNotification(
            fireDate,
            alertBody: alertBody,
            badge: badge,
            alertAction: alertAction,
            identifierKey: notificationKey,
            userInfo: userInfo,
            soundName: soundName,
            region: nil,
            regionTriggersOnce: true,
            category: nil
        )
    }

    /// Schedules as above; a region can replace the date, once or at each crossing, and a category provides the buttons.
    @discardableResult
    @available(iOS, deprecated: 10.0, message: "Use addNotification(_:).")
    public class func setLocalNotification(
        _ fireDate: Date!,
        alertBody: String!,
        badge: Int32,
        alertAction: String!,
        identifierKey notificationKey: String!,
        userInfo: [AnyHashable: Any]!,
        soundName: String!,
        region: CLRegion!,
        regionTriggersOnce: Bool,
        category: String!
    ) -> UILocalNotification! {
        let trigger = JPushNotificationTrigger()
        if let region {
            trigger.region = region
            trigger.repeat = !regionTriggersOnce
        } else {
            guard let fireDate, fireDate > Date() else { return nil }
            // Whole seconds, and never one that has passed.
            let second = Date(timeIntervalSince1970: fireDate.timeIntervalSince1970.rounded(.up))
            let units: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
            trigger.dateComponents = Calendar.current.dateComponents(units, from: second)
        }
        let content = JPushNotificationContent()
        content.body = alertBody
        content.badge = badge > 0 ? NSNumber(value: badge) : nil
        content.userInfo = userInfo
        content.sound = soundName == UILocalNotificationDefaultSoundName ? nil : soundName
        content.categoryIdentifier = category
        let request = UNNotificationRequest(
            identifier: notificationKey ?? UUID().uuidString,
            content: content.systemContent,
            trigger: try? trigger.systemTrigger()
        )
        UNUserNotificationCenter.current().add(request)
        return NamedNotification.all(of: [request]).first
    }

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

    #if canImport(ObjectiveC)
    @objc(deleteLocalNotification:)
    #endif
    /// Removes a local notification that one of these calls has returned.
    @available(iOS, deprecated: 10.0, message: "Use removeNotification(_:).")
    public class func delete(_ localNotification: UILocalNotification!) {
        deleteLocalNotification(withIdentifierKey: (localNotification as? NamedNotification)?.name)
    }

    /// Returns the pending `UILocalNotification` objects of this name; empty if there are none.
    @discardableResult
    @available(iOS, deprecated: 10.0, message: "Use findNotification(_:).")
    public class func findLocalNotification(withIdentifier notificationKey: String!) -> [Any]! {
        let answered = DispatchSemaphore(value: 0)
        // Written before the signal, and read after it.
        nonisolated(unsafe) var found: [UNNotificationRequest] = []
        UNUserNotificationCenter.current().getPendingNotificationRequests { all in
            found = all.filter { $0.identifier == notificationKey }
            answered.signal()
        }
        // The centre answers on a queue of its own.
        guard answered.wait(timeout: .now() + 5) == .success else { return [] }
        return NamedNotification.all(of: found)
    }

    /// Removes all pending local notifications.
    public class func clearAllLocalNotifications() {
        UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
    }
}

/// A local notification with the name by which the app finds it.
@available(iOS, deprecated: 10.0)
final class NamedNotification: UILocalNotification {
    private(set) nonisolated(unsafe) var name: String?

    /// The notifications of requests. UIKit's class belongs to the main thread.
    nonisolated static func all(of requests: [UNNotificationRequest]) -> [NamedNotification] {
        let requests = Boxed(requests)
        let makeAll: @MainActor @Sendable () -> Boxed<[NamedNotification]> = { Boxed(requests.value.map(Self.make)) }
        if Thread.isMainThread { return MainActor.assumeIsolated(makeAll).value }
        return DispatchQueue.main.sync { MainActor.assumeIsolated(makeAll) }.value
    }

    @MainActor private static func make(_ request: UNNotificationRequest) -> NamedNotification {
        let notification = NamedNotification()
        notification.name = request.identifier
        notification.fireDate = (request.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate()
        #if !targetEnvironment(macCatalyst)
        if let trigger = request.trigger as? UNLocationNotificationTrigger {
            notification.region = trigger.region
            notification.regionTriggersOnce = !trigger.repeats
        }
        #endif
        notification.alertBody = request.content.body
        notification.applicationIconBadgeNumber = request.content.badge?.intValue ?? 0
        notification.userInfo = request.content.userInfo
        notification.soundName = UILocalNotificationDefaultSoundName
        notification.category = request.content.categoryIdentifier
        return notification
    }
}

#endif
