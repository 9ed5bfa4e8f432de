public import Foundation

/// The firing times of a reminder with calendar components.
///
/// A rule fires whenever local time matches its components. Components finer than the finest one given take their first value
/// (`hour` 8 alone is 08:00:00); coarser ones match anything. In the Gregorian calendar, and in those that share its months and days
/// (ISO 8601, Buddhist, Japanese, Republic of China), the result is computed by arithmetic and equals
/// `Calendar.nextDate(after:matching:matchingPolicy: .nextTime, repeatedTimePolicy: .first)` where Foundation is consistent; other
/// calendars use Foundation.
///
/// - A rule fires at most once in the unit above its coarsest component: `weekday` 2 with `hour` 8 every Monday, but with
///   `month` 3 added, on the first Monday of March, once a year. A `year` only limits the rule to that year.
/// - A time skipped by a clock change fires right after the change; a repeated time fires the first time only.
/// - A date missing from its month (30 February, day 31 in April) fires at the start of the next month; combined with a weekday
///   or week it does not fire.
/// - A day that a zone skipped (30 December 2011 in Samoa) does not fire.
public struct CalendarRule: Hashable, Sendable {
    /// The components that a date has to match.
    public let components: DateComponents
    /// The calendar in which the rule is evaluated, with its time zone.
    public let calendar: Calendar

    private enum Method: Hashable, Sendable {
        /// The searches of the eras that the components may mean; empty if the rule never fires.
        case arithmetic([CalendarSearch])
        case foundation
    }

    private let method: Method
    private let zone: ZoneTable

    /// - Parameters:
    ///   - components: their own `timeZone` and `calendar` take precedence over `calendar`. A calendar in the machine's zone is
    ///     treated as `Calendar.current` and does not fix a zone: the zone of `calendar` applies, so a reminder follows a
    ///     traveller.
    ///   - calendar: the calendar and time zone in use where the reminder fires.
    public init(_ components: DateComponents, in calendar: Calendar) {
        var resolved = calendar
        if let own = components.calendar {
            resolved = own
            if own.timeZone == .current { resolved.timeZone = calendar.timeZone }
        }
        if let zone = components.timeZone { resolved.timeZone = zone }
        self.components = components
        self.calendar = resolved
        method = Self.method(for: components, in: resolved)
        zone = ZoneTable.table(of: resolved.timeZone)
    }

    /// Creates a rule in the Gregorian calendar, with weeks that start on Sunday and a first week that contains 1 January.
    /// The components' own `timeZone` and `calendar` take precedence.
    public init(_ components: DateComponents, in zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        calendar.firstWeekday = 1
        calendar.minimumDaysInFirstWeek = 1
        self.init(components, in: calendar)
    }

    /// The first firing strictly after `date`.
    ///
    /// - Returns: nil if there is none: all are past, the components never coincide, one is out of range, or none is set.
    public func next(after date: Date) -> Date? {
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite else { return nil }
        guard case .arithmetic(let searches) = method else { return askFoundation(after: date) }
        if searches.isEmpty { return nil }
        guard seconds >= Double(ZoneTable.range.lowerBound), seconds < Double(ZoneTable.range.upperBound) else {
            return askFoundation(after: date)
        }
        let fraction = Double(components.nanosecond ?? 0) / 1e9
        let second = Int(seconds.rounded(.down))
        // The second that has begun counts if its firing, a fraction of a second later, lies ahead.
        var next = fraction > 0 ? Self.next(of: searches, after: second - 1, in: zone) : nil
        if next.map({ Double($0) + fraction > seconds }) != true {
            next = Self.next(of: searches, after: second, in: zone)
        }
        guard let next else { return nil }
        // Only in the Gregorian calendar does Foundation find dates that far away.
        guard next < ZoneTable.range.upperBound || calendar.identifier != .gregorian else {
            return askFoundation(after: date)
        }
        return Date(timeIntervalSince1970: Double(next) + fraction)
    }

    private static func next(of searches: [CalendarSearch], after second: Int, in zone: ZoneTable) -> Int? {
        searches.compactMap { $0.next(after: second, in: zone) }.min()
    }

    /// All firings strictly after `date`, in order.
    public func firings(after date: Date) -> some Sequence<Date> & Sendable { CalendarFirings(rule: self, last: date) }

    private static func method(for components: DateComponents, in calendar: Calendar) -> Method {
        var components = components
        guard let eras = CalendarEra.eras(for: components, in: calendar.identifier) else { return .foundation }
        // Foundation gives dates in these calendars no quarter, and calls it 0.
        if components.quarter == 0, ![.gregorian, .iso8601].contains(calendar.identifier) { components.quarter = nil }
        guard (0..<1_000_000_000).contains(components.nanosecond ?? 0) else { return .arithmetic([]) }
        let searches = eras.compactMap { era -> CalendarSearch? in
            guard let fields = components.gregorian(in: era) else { return nil }
            let weeks =
                fields.hasWeekFields
                ? WeekRule(firstWeekday: calendar.firstWeekday, minimumDays: calendar.minimumDaysInFirstWeek)
                : WeekRule()
            return CalendarSearch(fields, weeks: weeks, era: era.days)
        }
        return .arithmetic(searches)
    }

    /// Whether the rule is computed by arithmetic.
    var isArithmetic: Bool { method != .foundation }

    /// The Gregorian year that the rule is limited to; nil for none.
    var gregorianYear: Int? { if case .arithmetic(let searches) = method { searches.first?.fields.year } else { nil } }

    private func askFoundation(after date: Date) -> Date? {
        var components = components
        components.calendar = nil
        components.timeZone = nil
        // Foundation's search takes a date that is past for the first day of the next month. A Chinese year comes again every 60 years.
        if components.year != nil, components.month != nil, components.day != nil,
            components.era != nil || calendar.identifier != .chinese,
            let moment = calendar.date(from: components), calendar.date(moment, matchesComponents: components)
        {
            return moment > date ? moment : nil
        }
        let next = calendar.nextDate(
            after: date,
            matching: components,
            matchingPolicy: .nextTime,
            repeatedTimePolicy: .first
        )
        return next.flatMap { $0 > date ? $0 : nil }
    }
}

private struct CalendarFirings: Sequence, IteratorProtocol, Sendable {
    let rule: CalendarRule
    var last: Date?

    mutating func next() -> Date? {
        last = last.flatMap(rule.next)
        return last
    }
}
