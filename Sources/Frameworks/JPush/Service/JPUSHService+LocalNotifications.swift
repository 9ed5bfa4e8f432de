public import CoreLocation
import Foundation
import SystemPort
public import UIKit

extension JPUSHService {
    /// Schedules a local notification, in the place of one with its identifier, or shows it at once.
    public class func addNotification(_ request: JPushNotificationRequest!) {
        guard let request else { return }
        local.add(request)
    }

    /// Removes what waits or what was shown, as the identifier says; nil: all of both.
    public class func removeNotification(_ identifier: JPushNotificationIdentifier!) { local.remove(identifier) }

    /// Calls the identifier's handler with what waits or what was shown.
    public class func findNotification(_ identifier: JPushNotificationIdentifier!) {
        guard let identifier else { return }
        local.find(identifier)
    }

    // MARK: Before iOS 10

    /// Schedules a local notification under a name of the app's.
    ///
    /// - Parameters:
    ///   - fireDate: in the future.
    ///   - alertBody: what it says.
    ///   - badge: -1 leaves the icon alone.
    ///   - alertAction: the text of its button.
    ///   - notificationKey: a later one with the same takes its place.
    ///   - userInfo: for the app itself.
    ///   - soundName: a file of the app's own; nil: the system's sound.
    /// - Returns: nil for a date that is not to come.
    @discardableResult
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

    /// As above, with what iOS 8 knows: the border of a region is awaited in the place of the date, once or at each
    /// crossing, and a category has the buttons.
    @discardableResult
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
        let notification = KeyedLocalNotification(key: notificationKey ?? client.randomName())
        notification.fireDate = fireDate
        notification.alertBody = alertBody
        notification.applicationIconBadgeNumber = Int(max(0, badge))
        notification.alertAction = alertAction
        notification.userInfo = userInfo
        notification.soundName = soundName ?? UILocalNotificationDefaultSoundName
        notification.region = region
        notification.regionTriggersOnce = regionTriggersOnce
        notification.category = category
        return legacy.schedule(notification)
    }

    /// Below iOS 10 the SDK shows an alert of its own in front. An emulated device draws none: nothing happens.
    public class func showLocalNotification(
        atFront notification: UILocalNotification!,
        identifierKey notificationKey: String!
    ) {}

    public class func deleteLocalNotification(withIdentifierKey notificationKey: String!) {
        guard let notificationKey else { return }
        legacy.delete(key: notificationKey)
    }

    public class func delete(_ localNotification: UILocalNotification!) {
        guard let localNotification else { return }
        legacy.delete(localNotification)
    }

    /// The `UILocalNotification` objects of this name that wait; empty where there is none.
    @discardableResult
    public class func findLocalNotification(withIdentifier notificationKey: String!) -> [Any]! {
        legacy.pending().filter { $0.key == notificationKey }
    }

    public class func clearAllLocalNotifications() { legacy.deleteAll() }

    private class var local: LocalNotifications { LocalNotifications(client: client, port: CurrentPort.find()) }
    private class var legacy: LegacyLocalNotifications { LegacyLocalNotifications(port: CurrentPort.find()) }
}
