public import Foundation

/// The firing times of a reminder with calendar components.
///
/// A rule fires whenever local time matches its components. Components finer than the finest one given take their first value
/// (`hour` 8 alone is 08:00:00); coarser ones match anything. In the Gregorian calendar the result is computed by arithmetic
/// and equals `Calendar.nextDate(after:matching:matchingPolicy: .nextTime, repeatedTimePolicy: .first)`; other calendars use
/// Foundation.
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
        case none
        case arithmetic(CalendarSearch)
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
    ///
    /// - Parameters:
    ///   - components: their own `timeZone` and `calendar` take precedence.
    ///   - zone: the time zone in use where the reminder fires.
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
        guard case .arithmetic(let search) = method else { return method == .none ? nil : askFoundation(after: date) }
        guard seconds >= Double(ZoneTable.range.lowerBound), seconds < Double(ZoneTable.range.upperBound) else {
            return askFoundation(after: date)
        }
        guard let firing = search.next(after: Int(seconds.rounded(.down)), in: zone) else { return nil }
        return firing < ZoneTable.range.upperBound
            ? Date(timeIntervalSince1970: Double(firing)) : askFoundation(after: date)
    }

    /// All firings strictly after `date`, in order.
    public func firings(after date: Date) -> some Sequence<Date> & Sendable {
        CalendarFirings(rule: self, last: date)
    }

    private static func method(for components: DateComponents, in calendar: Calendar) -> Method {
        let isPlain = components.nanosecond ?? 0 == 0 && components.dayOfYear == nil
        guard calendar.identifier == .gregorian, isPlain else { return .foundation }
        guard let fields = CalendarFields(components) else { return .none }
        var weeks = WeekRule()
        if fields.hasWeekFields {
            weeks = WeekRule(firstWeekday: calendar.firstWeekday, minimumDays: calendar.minimumDaysInFirstWeek)
        }
        return CalendarSearch(fields, weeks: weeks).map { .arithmetic($0) } ?? .none
    }

    private func askFoundation(after date: Date) -> Date? {
        var components = components
        components.calendar = nil
        components.timeZone = nil
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
