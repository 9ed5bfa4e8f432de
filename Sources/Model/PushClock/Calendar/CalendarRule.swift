public import Foundation

/// When a reminder with some calendar components fires.
///
/// A rule fires at each moment at which a calendar on the wall shows its components. Those finer than the finest one given
/// are at their start (`hour` 8 alone is 08:00:00), coarser ones match anything. In the Gregorian calendar this is
/// arithmetic, made to equal `Calendar.nextDate(after:matching:matchingPolicy: .nextTime, repeatedTimePolicy: .first)`;
/// other calendars ask Foundation.
///
/// - A rule fires at most once in the unit above its coarsest component: `weekday` 2 with `hour` 8 every Monday, but with
///   `month` 3 besides on the first Monday of March, once a year. Years only limit: with a `year`, a rule fires in no other.
/// - A time that the clocks jump over fires when they have jumped; one that they show twice fires the first time only.
/// - A date that its month does not have (30 February, day 31 in April) fires as the next month begins; beside a weekday or
///   week it does not fire.
/// - A day that a zone never had (30 December 2011 in Samoa) does not fire.
public struct CalendarRule: Hashable, Sendable {
    public let components: DateComponents
    /// The calendar that the rule is read in, with its time zone.
    public let calendar: Calendar

    private enum Method: Hashable, Sendable {
        case none
        case arithmetic(CalendarSearch)
        case foundation
    }

    private let method: Method
    private let zone: ZoneTable

    /// - Parameters:
    ///   - components: their own `timeZone` and `calendar` come before `calendar`. A calendar that shows the machine's zone
    ///     is taken for `Calendar.current` and does not fix a zone: that of `calendar` counts, so that a reminder follows a
    ///     traveller.
    ///   - calendar: the one in use where the reminder fires, with the time zone there.
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

    /// A rule in the Gregorian calendar, with weeks from Sunday, the first of which holds 1 January.
    ///
    /// - Parameters:
    ///   - components: their own `timeZone` and `calendar` come first.
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
    /// - Returns: nil if there is none: all are past, the components never meet, one is out of its range, or none is set.
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
