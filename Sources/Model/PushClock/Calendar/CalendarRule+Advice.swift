public import Foundation

extension CalendarRule {
    /// A property of a rule that its author may not expect.
    public enum Advice: Hashable, Sendable {
        /// No component is set.
        case empty
        /// A component is out of range.
        case outOfRange(CalendarComponent, found: Int)
        /// The components never coincide, or all firings are past.
        case never
        /// A month, week or quarter together with a weekday: one firing a year, at the first match.
        case yearly([CalendarComponent])
        /// Other years have no firing.
        case onlyInYear(Int)
        /// The month, or some months, do not have the day; the rule fires at the start of the next month.
        case missingDay(Int)
    }

    /// Returns advice on the firings of the rule after `date`; none for a rule without surprises.
    public func advice(after date: Date, repeats: Bool) -> [Advice] {
        let given = CalendarComponent.allCases.filter { $0.value(in: components) != nil }
        guard isArithmetic else { return next(after: date) == nil ? [.never] : [] }
        if given.isEmpty, components.nanosecond == nil, components.dayOfYear == nil { return [.empty] }
        for component in given where component != .era || calendar.identifier == .gregorian {
            if let value = component.value(in: components), !component.range.contains(value) {
                return [.outOfRange(component, found: value)]
            }
        }
        if next(after: date) == nil { return [.never] }
        var advice: [Advice] = []
        let yearly = given.filter { $0 == .month || $0 == .quarter }
        let finer = given.filter { [.weekday, .weekdayOrdinal, .weekOfMonth].contains($0) }
        if repeats, !yearly.isEmpty, !finer.isEmpty, components.day == nil { advice.append(.yearly(yearly + finer)) }
        if repeats, let year = components.year ?? components.yearForWeekOfYear { advice.append(.onlyInYear(year)) }
        if let day = components.day, hasMonthWithout(day: day) { advice.append(.missingDay(day)) }
        return advice
    }

    private func hasMonthWithout(day: Int) -> Bool {
        if [components.weekday, components.weekOfMonth, components.weekdayOrdinal, components.weekOfYear]
            .contains(where: { $0 != nil })
        {
            return false
        }
        guard let month = components.month else { return day > 28 && components.quarter == nil }
        let year = gregorianYear ?? 2_023
        return day > CivilDay.daysInMonth(month, of: year)
    }
}

extension CalendarRule.Advice: CustomStringConvertible {
    /// The advice as a sentence.
    public var description: String {
        switch self {
        case .empty: "It never fires: no component is set."
        case .outOfRange(let component, let found):
            "It never fires: '\(component.rawValue)' is \(found); expected \(component.rangeText)."
        case .never: "It never fires: the components do not meet after this date."
        case .yearly(let components):
            """
            It fires once a year only, at the first moment that matches, because '\(components[0].rawValue)' is given beside \
            \(Self.list(components.dropFirst())). Leave '\(components[0].rawValue)' out if that is too seldom.
            """
        case .onlyInYear(let year): "It repeats in \(year) only."
        case .missingDay(let day): "Where a month has no day \(day), it fires as the next month begins."
        }
    }

    private static func list(_ components: some Collection<CalendarComponent>) -> String {
        components.map { "'\($0.rawValue)'" }.joined(separator: " and ")
    }
}
