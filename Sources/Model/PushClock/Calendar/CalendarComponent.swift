public import Foundation

/// A component of a ``CalendarRule``, by Apple's name in `DateComponents`.
public enum CalendarComponent: String, CaseIterable, Sendable {
    /// Components of a date, with the numbering of `Foundation.DateComponents`.
    case era, year, quarter, month, weekOfYear, weekOfMonth, yearForWeekOfYear, day, weekday, weekdayOrdinal
    /// Components of a time of day.
    case hour, minute, second

    /// The range of values in a Gregorian calendar.
    public var range: ClosedRange<Int> {
        switch self {
        case .era: 0...1
        case .year, .yearForWeekOfYear: 1...9_999
        case .quarter: 1...4
        case .month: 1...12
        case .weekOfYear: 1...53
        case .weekOfMonth: 0...6
        case .day: 1...31
        case .weekday: 1...7
        case .weekdayOrdinal: 1...5
        case .hour: 0...23
        case .minute, .second: 0...59
        }
    }

    /// The range as text for messages, such as `1 (Sunday) to 7 (Saturday)`.
    public var rangeText: String {
        switch self {
        case .weekday: "1 (Sunday) to 7 (Saturday)"
        case .era: "1 (0 is before Christ)"
        default: "\(range.lowerBound) to \(range.upperBound)"
        }
    }

    /// Returns the value of this component; nil if it is not set.
    public func value(in components: DateComponents) -> Int? {
        switch self {
        case .era: components.era
        case .year: components.year
        case .quarter: components.quarter
        case .month: components.month
        case .weekOfYear: components.weekOfYear
        case .weekOfMonth: components.weekOfMonth
        case .yearForWeekOfYear: components.yearForWeekOfYear
        case .day: components.day
        case .weekday: components.weekday
        case .weekdayOrdinal: components.weekdayOrdinal
        case .hour: components.hour
        case .minute: components.minute
        case .second: components.second
        }
    }

    /// Sets the value of this component; nil removes it.
    public func set(_ value: Int?, in components: inout DateComponents) {
        switch self {
        case .era: components.era = value
        case .year: components.year = value
        case .quarter: components.quarter = value
        case .month: components.month = value
        case .weekOfYear: components.weekOfYear = value
        case .weekOfMonth: components.weekOfMonth = value
        case .yearForWeekOfYear: components.yearForWeekOfYear = value
        case .day: components.day = value
        case .weekday: components.weekday = value
        case .weekdayOrdinal: components.weekdayOrdinal = value
        case .hour: components.hour = value
        case .minute: components.minute = value
        case .second: components.second = value
        }
    }
}
