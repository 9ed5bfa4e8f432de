import Foundation

// The components of a rule.
extension DateComponents {
    /// Returns the components with the Gregorian year; nil if one is out of range. The era is that of the year.
    func gregorian(in era: CalendarEra) -> DateComponents? {
        for component in CalendarComponent.allCases where component != .era {
            if let value = component.value(in: self), !component.range.contains(value) { return nil }
        }
        if let day = dayOfYear, !(1...366).contains(day) { return nil }
        var fields = self
        fields.year = year.map { $0 + era.yearZero }
        if let year = fields.year, !CalendarComponent.year.range.contains(year) { return nil }
        return fields
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
