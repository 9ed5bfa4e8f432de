package import Foundation
import PushClock

/// The next firing of a trigger: the only place where the device and its frameworks use a calendar.
package enum TriggerDates {
    /// - Parameters:
    ///   - trigger: the trigger to evaluate.
    ///   - date: the result is after this date. An interval counts from here.
    ///   - zone: the device's time zone, used if the components name none.
    /// - Returns: nil without a time trigger, for components that do not recur, and for an invalid interval.
    package static func next(of trigger: TriggerRecord, after date: Date, in zone: TimeZone) -> Date? {
        switch trigger {
        case .push, .location: nil
        case .timeInterval(let interval, let repeats): next(after: interval, from: date, repeats: repeats)
        case .fireDate(let rule): rule.next(after: date, in: zone)
        case .calendar(let components, _): CalendarRule(components, in: zone).next(after: date)
        }
    }

    private static func next(after interval: TimeInterval, from date: Date, repeats: Bool) -> Date? {
        guard let interval = try? RepeatingInterval(seconds: interval, repeats: repeats) else { return nil }
        return date.addingTimeInterval(min(interval.seconds, RepeatingInterval.longest))
    }
}
