import Foundation

/// The components of a rule as plain numbers.
struct CalendarFields: Hashable, Sendable {
    var year: Int?
    var quarter: Int?
    var month: Int?
    var day: Int?
    var weekday: Int?
    var weekdayOrdinal: Int?
    var weekOfMonth: Int?
    var weekOfYear: Int?
    var yearForWeekOfYear: Int?
    var dayOfYear: Int?
    var hour: Int?
    var minute: Int?
    var second: Int?

    init() {}

    /// Nil if a component is out of range. The era is that of the components' year; the result has the Gregorian year.
    init?(_ components: DateComponents, in era: CalendarEra) {
        for component in CalendarComponent.allCases where component != .era {
            if let value = component.value(in: components), !component.range.contains(value) { return nil }
        }
        if let day = components.dayOfYear, !(1...366).contains(day) { return nil }
        year = components.year.map { $0 + era.yearZero }
        if let year, !CalendarComponent.year.range.contains(year) { return nil }
        quarter = components.quarter
        month = components.month
        day = components.day
        weekday = components.weekday
        weekdayOrdinal = components.weekdayOrdinal
        weekOfMonth = components.weekOfMonth
        weekOfYear = components.weekOfYear
        yearForWeekOfYear = components.yearForWeekOfYear
        dayOfYear = components.dayOfYear
        hour = components.hour
        minute = components.minute
        second = components.second
    }

    var hasWeekFields: Bool {
        weekday != nil || weekdayOrdinal != nil || weekOfMonth != nil || weekOfYear != nil || yearForWeekOfYear != nil
    }

    /// Whether components other than month and day of the month select days.
    var selectsDays: Bool { hasWeekFields || dayOfYear != nil }

    /// The unit in which the rule fires at most once; nil if there are no components.
    var period: CalendarSearch.Period? {
        if quarter != nil || month != nil || dayOfYear != nil { return .year }
        if day != nil { return .month }
        if hour != nil { return .day }
        if minute != nil { return .hour }
        if second != nil { return .minute }
        if weekday != nil { return .day }
        if weekdayOrdinal != nil || weekOfMonth != nil { return .month }
        if weekOfYear != nil { return .weekYear }
        if year != nil { return .year }
        if yearForWeekOfYear != nil { return .weekYear }
        return nil
    }
}
