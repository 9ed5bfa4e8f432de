public import CoreLocation
import Foundation
import SystemPort
public import UIKit

extension JPUSHService {
    // MARK: Before iOS 10

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
        notification.setLater(category: category, region: region, triggersOnce: regionTriggersOnce)
        return legacy.schedule(notification)
    }

    /// Shows a notification that arrives in the foreground as an alert, before iOS 10; with a name only if it has that one.
    public class func showLocalNotification(
        atFront notification: UILocalNotification!,
        identifierKey notificationKey: String!
    ) {
        guard let notification, notificationKey == nil || notification.requestIdentifier == notificationKey else {
            return
        }
        let title = SystemSymbol.alertTitle.exists ? notification.alertTitle : nil
        let body = notification.alertBody
        let show: @MainActor @Sendable () -> Void = {
            let port = CurrentPort.find()
            guard port.facts.systemMajor < 10, UIApplication.shared.applicationState == .active else { return }
            UIAlertView(title: title, message: body, delegate: nil, cancelButtonTitle: "OK").show()
        }
        if MainThread.isCurrent {
            MainActor.assumeIsolated(show)
        } else {
            DispatchQueue.main.async(execute: show)
        }
    }

    /// Removes the local notifications with this key.
    public class func deleteLocalNotification(withIdentifierKey notificationKey: String!) {
        guard let notificationKey else { return }
        legacy.delete(key: notificationKey)
    }

    /// Removes a local notification of iOS 8 and 9.
    public class func delete(_ localNotification: UILocalNotification!) {
        guard let localNotification else { return }
        legacy.delete(localNotification)
    }

    /// Returns the pending `UILocalNotification` objects of this name; empty if there are none.
    @discardableResult
    public class func findLocalNotification(withIdentifier notificationKey: String!) -> [Any]! {
        legacy.pending().filter { $0.key == notificationKey }
    }

    /// Removes all local notifications of iOS 8 and 9.
    public class func clearAllLocalNotifications() { legacy.deleteAll() }

    private class var legacy: LegacyLocalNotifications { LegacyLocalNotifications(port: CurrentPort.find()) }
}
