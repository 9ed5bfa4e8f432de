import Foundation
import PushModel
import SystemPort
import UIKit
import UserNotifications

// Between `UILocalNotification` and what the system schedules. Names of regions and dates are exact to the second.

extension LegacyLocalNotifications {
    /// Nil if its `userInfo` cannot be kept.
    static func record(of notification: KeyedLocalNotification) -> RequestRecord? {
        let content = UNMutableNotificationContent()
        content.title = notification.alertTitle ?? ""
        content.body = notification.alertBody ?? ""
        content.categoryIdentifier = notification.category ?? ""
        content.launchImageName = notification.alertLaunchImage ?? ""
        content.userInfo = notification.userInfo ?? [:]
        content.sound = notification.soundName.map { name in
            name == UILocalNotificationDefaultSoundName
                ? .default : UNNotificationSound(named: UNNotificationSoundName(name))
        }
        if notification.applicationIconBadgeNumber > 0 {
            content.badge = NSNumber(value: notification.applicationIconBadgeNumber)
        }
        let request = UNNotificationRequest(
            identifier: notification.key,
            content: content,
            trigger: trigger(of: notification)
        )
        return try? request.record()
    }

    private static func trigger(of notification: UILocalNotification) -> UNNotificationTrigger? {
        if let region = notification.region {
            return UNLocationNotificationTrigger(region: region, repeats: !notification.regionTriggersOnce)
        }
        guard let date = notification.fireDate else { return nil }
        var components = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date.roundedUp)
        components.calendar = calendar
        components.timeZone = calendar.timeZone
        return UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
    }

    static func notification(of request: RequestRecord, at now: Date) -> KeyedLocalNotification {
        let found = KeyedLocalNotification(key: request.identifier)
        let content = UNNotificationContent(request.content)
        found.alertTitle = content.title.isEmpty ? nil : content.title
        found.alertBody = content.body
        found.category = content.categoryIdentifier.isEmpty ? nil : content.categoryIdentifier
        found.userInfo = content.userInfo.isEmpty ? nil : content.userInfo
        found.soundName = request.content.sound.map { $0.name ?? UILocalNotificationDefaultSoundName }
        found.applicationIconBadgeNumber = content.badge?.intValue ?? 0
        switch request.trigger {
        case .location(let region, let repeats):
            found.region = UNLocationNotificationTrigger(.location(region, repeats: repeats)).region
            found.regionTriggersOnce = !repeats
        case .some(let trigger): found.fireDate = TriggerDates.next(of: trigger, after: now, in: .gmt)
        case nil: break
        }
        return found
    }

    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}

extension Date {
    /// A trigger knows whole seconds: a fraction would make it come too early.
    fileprivate var roundedUp: Date {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.up))
    }
}
