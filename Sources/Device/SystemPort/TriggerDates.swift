package import Foundation
import PushClock

/// When a trigger fires next: the one place where the device and its frameworks ask a calendar.
package enum TriggerDates {
    /// - Parameters:
    ///   - trigger: whose next moment is wanted.
    ///   - date: the moment is after this one. For an interval it counts from here.
    ///   - zone: of the device, where the components name none.
    /// - Returns: nil for what no clock decides, for components that do not come again, and for an interval that none is.
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
