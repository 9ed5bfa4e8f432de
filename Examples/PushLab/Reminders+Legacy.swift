import Foundation
import UIKit

// Reminders before iOS 10. A `UILocalNotification` has the date at which it fires, not the time until then, and is
// identified by the id that the app stores in its `userInfo`.

extension Reminders {
    /// The pending notifications, the next to fire first.
    var scheduled: [UILocalNotification] { UIApplication.shared.scheduledLocalNotifications ?? [] }

    /// Schedules a reminder, replacing the one with the same id.
    func schedule(_ reminder: Reminder) throws(ReminderProblem) {
        let notification = UILocalNotification()
        notification.alertBody = reminder.text
        notification.soundName = UILocalNotificationDefaultSoundName
        notification.userInfo = reminder.userInfo
        if case .settings = Generation.current { notification.category = reminder.category }
        switch reminder.moment {
        case .now: break
        case .after(let seconds, let repeats):
            notification.fireDate = settings.now().addingTimeInterval(seconds)
            if repeats { notification.repeatInterval = try period(seconds) }
        case .on(let components, let repeats):
            if repeats { notification.repeatInterval = try period(components) }
            notification.fireDate = try next(components)
            // In local time, wherever the phone is then.
            notification.timeZone = settings.calendar.timeZone
        case .at(let place, let repeats):
            if case .types = Generation.current { throw .noPlaces }
            notification.region = place.region
            notification.regionTriggersOnce = !repeats
        }
        unschedule([reminder.id])
        if case .now = reminder.moment {
            UIApplication.shared.presentLocalNotificationNow(notification)
        } else {
            UIApplication.shared.scheduleLocalNotification(notification)
        }
    }

    func unschedule(_ ids: [String]) {
        for notification in scheduled {
            guard let id = notification.reminder, ids.contains(id) else { continue }
            UIApplication.shared.cancelLocalNotification(notification)
        }
    }

    func next(_ components: DateComponents) throws(ReminderProblem) -> Date {
        let date = settings.calendar.nextDate(
            after: settings.now(),
            matching: components,
            matchingPolicy: .nextTime
        )
        guard let date else { throw .past }
        return date
    }

    private func period(_ seconds: TimeInterval) throws(ReminderProblem) -> NSCalendar.Unit {
        switch seconds {
        case 60: .minute
        case 3600: .hour
        case 86_400: .day
        case 604_800: .weekOfYear
        default: throw .noSuchPeriod
        }
    }

    /// Returns the unit above the largest component: Monday at eight repeats weekly.
    private func period(_ components: DateComponents) throws(ReminderProblem) -> NSCalendar.Unit {
        if components.isOfNoPeriod { throw .noSuchPeriod }
        if components.month != nil { return .year }
        if components.day != nil { return .month }
        if components.weekday != nil { return .weekOfYear }
        if components.hour != nil { return .day }
        if components.minute != nil { return .hour }
        throw .noSuchPeriod
    }
}

extension DateComponents {
    /// Whether it specifies a year, or a week or a weekday of a month, a quarter or a year: none of these recurs once
    /// per unit.
    fileprivate var isOfNoPeriod: Bool {
        [era, year, yearForWeekOfYear, quarter, weekOfYear, weekOfMonth, weekdayOrdinal].contains { $0 != nil }
    }
}

extension UILocalNotification {
    /// The id of its reminder; nil for another notification.
    var reminder: String? { userInfo?[Reminder.key] as? String }
}
