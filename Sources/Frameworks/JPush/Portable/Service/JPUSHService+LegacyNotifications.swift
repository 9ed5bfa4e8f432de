#if os(iOS) || os(Linux) && canImport(UIKit)

public import CoreLocation
import Foundation
public import UIKit

/// A local notification as the calls before iOS 10 describe it.
struct LegacyRequest {
    /// The name by which the app finds it; nil for a random one.
    var name: String?
    var date: Date?
    var body: String?
    /// -1 leaves the icon unchanged.
    var badge: Int
    /// The title of its button.
    var action: String?
    var userInfo: [AnyHashable: Any]?
    /// A sound file of the app; nil for the system's sound.
    var sound: String?
    var region: CLRegion?
    var triggersOnce: Bool
    var category: String?
}

// Local notifications before iOS 10. On Apple's systems they are in the notification centre, which has no button in them.
extension JPUSHService {
    /// Schedules a local notification under a name chosen by the app.
    ///
    /// - Parameters:
    ///   - fireDate: a date in the future.
    ///   - alertBody: the text.
    ///   - badge: the badge; -1 leaves the icon unchanged.
    ///   - alertAction: the title of its button.
    ///   - notificationKey: the name; a later notification with the same one replaces it.
    ///   - userInfo: data for the app itself.
    ///   - soundName: a sound file of the app; nil for the system's sound.
    /// - Returns: nil for a date in the past.
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

    /// Schedules as above, with the features of iOS 8: a region can replace the date, once or at each crossing, and a
    /// category provides the buttons.
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
        let request = LegacyRequest(
            name: notificationKey,
            date: fireDate,
            body: alertBody,
            badge: Int(badge),
            action: alertAction,
            userInfo: userInfo,
            sound: soundName,
            region: region,
            triggersOnce: regionTriggersOnce,
            category: category
        )
        return client.legacy.schedule(request)
    }

    /// Shows a notification that arrives in the foreground as an alert, before iOS 10; with a name only if it has that one.
    @available(iOS, deprecated: 10.0, message: "Use the delegate of register(forRemoteNotificationConfig:delegate:).")
    public class func showLocalNotification(
        atFront notification: UILocalNotification!,
        identifierKey notificationKey: String!
    ) {
        if let notification { client.legacy.show(notification, name: notificationKey) }
    }

    /// Removes the local notifications with this key.
    public class func deleteLocalNotification(withIdentifierKey notificationKey: String!) {
        if let notificationKey { client.local.remove(named: notificationKey) }
    }

    /// Removes a local notification that one of these calls has returned.
    #if canImport(ObjectiveC)
    @objc(deleteLocalNotification:)
    #endif
    @available(iOS, deprecated: 10.0, message: "Use removeNotification(_:).")
    public class func delete(_ localNotification: UILocalNotification!) {
        if let name = localNotification.flatMap(client.legacy.name(of:)) { client.local.remove(named: name) }
    }

    /// Returns the pending `UILocalNotification` objects of this name; empty if there are none.
    @discardableResult
    @available(iOS, deprecated: 10.0, message: "Use findNotification(_:).")
    public class func findLocalNotification(withIdentifier notificationKey: String!) -> [Any]! {
        client.legacy.pending(notificationKey)
    }

    /// Removes all pending local notifications.
    public class func clearAllLocalNotifications() { client.local.removeAllPending() }
}

#endif
