import Foundation
import SystemPort

extension TriggerRecord {
    /// The single calendar unit after which it repeats; empty if it does not repeat, or repeats after another period.
    var repeatInterval: NSCalendar.Unit {
        switch self {
        case .timeInterval(let seconds, repeats: true):
            let periods: [TimeInterval: NSCalendar.Unit] = [
                60: .minute, 3_600: .hour, 86_400: .day, 604_800: .weekOfYear,
            ]
            return periods[seconds] ?? []
        case .calendar(let components, repeats: true): return components.period
        case .fireDate(let rule): return NSCalendar.Unit(rawValue: rule.repeatInterval)
        case .timeInterval, .calendar, .location, .push: return []
        }
    }
}

extension DateComponents {
    /// The unit above the largest one that is set.
    fileprivate var period: NSCalendar.Unit {
        if year != nil || yearForWeekOfYear != nil || era != nil { return [] }
        if month != nil || quarter != nil || weekOfYear != nil { return .year }
        if weekday != nil, day != nil { return [] }
        if day != nil || weekdayOrdinal != nil || weekOfMonth != nil { return .month }
        if weekday != nil { return .weekOfYear }
        if hour != nil { return .day }
        if minute != nil { return .hour }
        return second != nil ? .minute : []
    }
}
