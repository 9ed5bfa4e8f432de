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

    var fields: CalendarFields
    var period: Period
    var weeks: WeekRule
    /// The days of the rule's era; nil if it has no border.
    var era: Range<CivilDay>?

    init?(_ fields: CalendarFields, weeks: WeekRule, era: Range<CivilDay>? = nil) {
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
