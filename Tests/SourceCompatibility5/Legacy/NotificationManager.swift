import UIKit

// Swift 5 mode: the local notification manager that many apps had, which finds what it scheduled by an id in `userInfo`.
public class NotificationManager: NSObject {
    @MainActor public static let shared = NotificationManager()

    @MainActor
    public func schedule(id: String, body: String, at date: Date, every interval: NSCalendar.Unit = []) {
        cancel(id: id)
        let notification = UILocalNotification()
        notification.fireDate = date
        notification.timeZone = NSTimeZone.default
        notification.alertBody = body
        notification.alertAction = "open"
        notification.soundName = UILocalNotificationDefaultSoundName
        notification.repeatInterval = interval
        notification.userInfo = ["id": id]
        notification.applicationIconBadgeNumber = (UIApplication.shared.scheduledLocalNotifications?.count ?? 0) + 1
        UIApplication.shared.scheduleLocalNotification(notification)
    }

    @MainActor
    public func cancel(id: String) {
        for notification in UIApplication.shared.scheduledLocalNotifications ?? [] {
            guard let found = notification.userInfo?["id"] as? String, found == id else { continue }
            UIApplication.shared.cancelLocalNotification(notification)
        }
    }

    @MainActor public func cancelAll() { UIApplication.shared.cancelAllLocalNotifications() }

    /// The ids of what waits, in the order in which it fires.
    @MainActor public var waiting: [String] {
        (UIApplication.shared.scheduledLocalNotifications ?? []).compactMap { $0.userInfo?["id"] as? String }
    }
}
