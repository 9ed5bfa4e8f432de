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
    public func value(in components: DateComponents) -> Int? { components[keyPath: path] }

    /// Sets the value of this component; nil removes it.
    public func set(_ value: Int?, in components: inout DateComponents) { components[keyPath: path] = value }

    private var path: WritableKeyPath<DateComponents, Int?> {
        switch self {
        case .era: \.era
        case .year: \.year
        case .quarter: \.quarter
        case .month: \.month
        case .weekOfYear: \.weekOfYear
        case .weekOfMonth: \.weekOfMonth
        case .yearForWeekOfYear: \.yearForWeekOfYear
        case .day: \.day
        case .weekday: \.weekday
        case .weekdayOrdinal: \.weekdayOrdinal
        case .hour: \.hour
        case .minute: \.minute
        case .second: \.second
        }
    }
}
