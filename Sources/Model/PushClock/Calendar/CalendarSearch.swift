import Foundation

/// Finds the days and moments of a ``CalendarRule`` by arithmetic.
///
/// Each period has at most one firing, the first moment in it that matches. The period is the unit above the coarsest component
/// of the list year, quarter, month, day, hour, minute, second, or without any of these, of the list weekday, weekdayOrdinal,
/// weekOfMonth, weekOfYear. That is why a month with a weekday fires once a year. A year is not a period: it only limits the
/// rule. A quarter next to a month has no effect.
struct CalendarSearch: Hashable, Sendable {
    enum Period: Hashable, Sendable {
        case minute, hour, day, month, year, weekYear
    }

    var fields: DateComponents
    var period: Period
    var weeks: WeekRule
    /// The days of the rule's era; nil if it has no border.
    var era: Range<CivilDay>?

    init?(_ fields: DateComponents, weeks: WeekRule, era: Range<CivilDay>? = nil) {
        guard let period = fields.period else { return nil }
        self.era = era
        self.fields = fields
        self.period = period
        self.weeks = weeks
    }

    /// Returns the first firing after `instant`, in seconds since 1970.
    func next(after instant: Int, in zone: ZoneTable) -> Int? {
        switch period {
        case .minute: nextWithinDays(after: instant, in: zone, every: 60, at: fields.second ?? 0)
        case .hour:
            nextWithinDays(after: instant, in: zone, every: 3_600, at: (fields.minute ?? 0) * 60 + (fields.second ?? 0))
        case .day, .month, .year, .weekYear: nextByDays(after: instant, in: zone)
        }
    }

    private func nextByDays(after instant: Int, in zone: ZoneTable) -> Int? {
        var earliest = today(at: instant, in: zone)
        while let match = firstDay(from: earliest) {
            let firing = firing(on: match, in: zone)
            if firing > instant, zone.has(match.day, around: firing) { return firing }
            earliest = match.day + 1
        }
        return nil
    }

    private func firing(on match: Match, in zone: ZoneTable) -> Int {
        let midnight = match.day.number * 86_400
        guard !match.isSubstitute else { return zone.firstInstant(showing: midnight) }
        let hour = midnight + (fields.hour ?? 0) * 3_600
        let second = fields.second ?? 0
        guard fields.minute == nil, second > 0 else {
            return zone.firstInstant(showing: hour + (fields.minute ?? 0) * 60 + second)
        }
        // Any minute matches: if a clock change skips the start of the hour, the first minute that exists.
        let start = zone.firstInstant(showing: hour)
        let local = start + zone.span(at: start).offset
        return start + (local < hour + 3_600 ? (second - local).wrapped(by: 60) : 0)
    }

    private func nextWithinDays(after instant: Int, in zone: ZoneTable, every step: Int, at rest: Int) -> Int? {
        var instant = instant + 1
        while true {
            let span = zone.span(at: instant)
            let local = instant + span.offset
            let day = CivilDay(number: local.floored(by: 86_400))
            guard matches(day) else {
                guard let next = firstDay(from: day + 1)?.day else { return nil }
                instant = max(instant + 1, zone.firstInstant(showing: next.number * 86_400))
                continue
            }
            let firing = instant + (rest - local).wrapped(by: step)
            guard firing < span.end else {
                instant = span.end
                continue
            }
            if (firing + span.offset).floored(by: 86_400) == day.number { return firing }
            instant = firing
        }
    }

    private func today(at instant: Int, in zone: ZoneTable) -> CivilDay {
        CivilDay(number: (instant + zone.span(at: instant).offset).floored(by: 86_400))
    }
}

extension CalendarSearch {
    struct Match {
        var day: CivilDay
        /// Whether the match is the start of the next month, in place of a day that the month does not have.
        var isSubstitute = false
    }

    /// A date falls on a given weekday again within 40 years: 29 February, across a century year without one.
    private static let horizonYears = 41

    /// The first day, not before `earliest`, on which the rule fires.
    func firstDay(from earliest: CivilDay) -> Match? {
        let earliest = limited(earliest)
        let last = lastDay(after: earliest)
        var day = earliest
        while day <= last {
            let (match, next) = match(inPeriodOf: day)
            if let match, match.day >= earliest {
                return matches(match.isSubstitute ? match.day + -1 : match.day) ? match : nil
            }
            day = next
        }
        return nil
    }

    /// Returns `day`, or the first day of the rule's era and years if that is later.
    private func limited(_ day: CivilDay) -> CivilDay {
        var day = era.map { max(day, $0.lowerBound) } ?? day
        if let year = fields.year { day = max(day, CivilDay(year: year, month: 1, day: 1)) }
        if let year = fields.yearForWeekOfYear { day = max(day, weeks.start(ofWeekYear: year)) }
        return day
    }

    private func lastDay(after earliest: CivilDay) -> CivilDay {
        if let year = fields.year { return CivilDay(year: year, month: 12, day: 31) }
        if let year = fields.yearForWeekOfYear { return weeks.start(ofWeekYear: year + 1) + -1 }
        return earliest + Self.horizonYears * 366
    }

    /// Returns the only day that may match in the period of `day`, and the beginning of the next period.
    private func match(inPeriodOf day: CivilDay) -> (match: Match?, next: CivilDay) {
        switch period {
        case .minute, .hour, .day: return (matches(day) ? Match(day: day) : nil, day + 1)
        case .month:
            let (year, month, _) = day.parts
            return (firstMatch(inMonth: month, of: year), CivilDay(year: year, month: month + 1, day: 1))
        case .year:
            let year = day.parts.year
            let months = fields.month.map { $0...$0 } ?? fields.quarter.map { $0 * 3 - 2...$0 * 3 } ?? 1...12
            let match = months.lazy.compactMap { firstMatch(inMonth: $0, of: year) }.first
            return (match, CivilDay(year: year + 1, month: 1, day: 1))
        case .weekYear:
            let year = weeks.weekOfYear(day).year
            let next = weeks.start(ofWeekYear: year + 1)
            let match = weeks.start(ofWeekYear: year) + ((fields.weekOfYear ?? 1) - 1) * 7
            return (match < next ? Match(day: match) : nil, next)
        }
    }

    // MARK: Days

    private func firstMatch(inMonth month: Int, of year: Int) -> Match? {
        let first = CivilDay(year: year, month: month, day: 1)
        let length = CivilDay.daysInMonth(month, of: year)
        if let number = fields.day {
            if number <= length {
                let day = first + (number - 1)
                return matches(day) ? Match(day: day) : nil
            }
            // With a weekday, week or day of the year, or with three months to choose from, only an existing day counts.
            let isOnlyDay = !fields.selectsDays && (fields.quarter == nil || fields.month != nil)
            return isOnlyDay ? Match(day: first + length, isSubstitute: true) : nil
        }
        guard fields.selectsDays else { return Match(day: first) }
        return (0..<length).lazy.map { first + $0 }.first(where: matches).map { Match(day: $0) }
    }

    /// Returns whether `day` is in the rule's era and year, and the components that select days match it.
    func matches(_ day: CivilDay) -> Bool {
        if let era, !era.contains(day) { return false }
        if let number = fields.dayOfYear, day != CivilDay(year: day.parts.year, month: 1, day: number) { return false }
        if let weekday = fields.weekday, day.weekday != weekday { return false }
        if let ordinal = fields.weekdayOrdinal, (day.parts.day - 1) / 7 + 1 != ordinal { return false }
        if let week = fields.weekOfMonth, weeks.weekOfMonth(day) != week { return false }
        if fields.weekOfYear != nil || fields.yearForWeekOfYear != nil {
            let found = weeks.weekOfYear(day)
            if let week = fields.weekOfYear, found.week != week { return false }
            if let year = fields.yearForWeekOfYear, found.year != year { return false }
        }
        if let year = fields.year, day.parts.year != year { return false }
        return true
    }
}
