package import Foundation
import PushClock

/// When a trigger fires next: the one place where the device and its frameworks ask a calendar.
package enum TriggerDates {
    /// - Parameters:
    ///   - trigger: whose next moment is wanted.
    ///   - date: the moment is after this one. For an interval it counts from here.
    ///   - zone: of the device, where the components name none.
    /// - Returns: nil for what no clock decides, and for components that do not come again.
    package static func next(of trigger: TriggerRecord, after date: Date, in zone: TimeZone) -> Date? {
        switch trigger {
        case .push, .location: nil
        case .timeInterval(let interval, _): date.addingTimeInterval(interval)
        case .fireDate(let rule): rule.next(after: date, in: zone)
        case .calendar(let components, _): CalendarRule(components, in: zone).next(after: date)
        }
    }
}
