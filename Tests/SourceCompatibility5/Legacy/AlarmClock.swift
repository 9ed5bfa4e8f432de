import UIKit

// Swift 5 mode: an alarm clock for some days of the week, with a notification for each.
public struct AlarmClock {
    public var hour: Int
    public var minute: Int
    /// As in `DateComponents`: 1 is Sunday.
    public var weekdays: [Int]

    public init(hour: Int, minute: Int, weekdays: [Int]) {
        self.hour = hour
        self.minute = minute
        self.weekdays = weekdays
    }

    @MainActor
    public func set(after now: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = NSTimeZone(forSecondsFromGMT: 0) as TimeZone
        for weekday in weekdays {
            var match = DateComponents()
            match.weekday = weekday
            match.hour = hour
            match.minute = minute
            guard let date = calendar.nextDate(after: now, matching: match, matchingPolicy: .nextTime) else { continue }
            let notification = UILocalNotification()
            notification.alertBody = "Wake up"
            notification.fireDate = date
            notification.repeatInterval = NSCalendar.Unit.weekOfYear
            notification.soundName = "alarm.caf"
            notification.category = "ALARM"
            UIApplication.shared.scheduleLocalNotification(notification)
        }
    }
}
