package import Foundation
import PushClock
package import PushModel

// Dates are in the trigger's zone. A time skipped by a clock change fires right after the change, a repeated time fires only the
// first time, and a day that the zone never had does not fire: our choice, the same as for reminders on a device.
extension ScheduleTrigger {
    /// Returns the first firing strictly after `date`; nil if there is none.
    ///
    /// `zone` applies if the trigger names none.
    package func next(after date: Date, in zone: TimeZone) -> Date? {
        let zone = self.zone.flatMap { TimeZone(identifier: $0) } ?? zone
        switch kind {
        case .single(let time):
            return Self.date(CivilDay(time), time.secondOfDay, in: zone).flatMap { $0 > date ? $0 : nil }
        case .periodical(let period):
            return period.days(from: date).lazy.compactMap { Self.date($0, period.time, in: zone) }.first { $0 > date }
        }
    }

    /// Returns the last firing from `first`, itself a firing, through `date`, and the one that follows it; `next` is nil if there
    /// is none.
    package func firings(from first: Date, to date: Date, in zone: TimeZone) -> (last: Date, next: Date?) {
        // A single one fires once, whatever its time, which may have been read in another zone.
        if isSingle { return (first, nil) }
        var last = first
        while let next = next(after: last, in: zone) {
            guard next <= date else { return (last, next) }
            last = next
        }
        return (last, nil)
    }

    /// Returns when clocks in `zone` first show this time.
    private static func date(_ day: CivilDay, _ secondOfDay: Int, in zone: TimeZone) -> Date? {
        let (year, month, dayOfMonth) = day.parts
        let components = DateComponents(
            year: year,
            month: month,
            day: dayOfMonth,
            hour: secondOfDay / 3600,
            minute: secondOfDay / 60 % 60,
            second: secondOfDay % 60
        )
        // UTC offsets are below two days.
        let before = Date(timeIntervalSince1970: Double((day.number - 2) * 86_400))
        return CalendarRule(components, in: zone).next(after: before)
    }
}

extension CivilDay {
    init(_ time: WallTime) { self.init(year: time.year, month: time.month, day: time.day) }

    /// The number of the week, from Monday; the same for all days of a week.
    fileprivate var week: Int { (number + 3).floored(by: 7) }
    /// The number of the month.
    fileprivate var month: Int { parts.year * 12 + parts.month }
    /// The day of the week; 1 is Monday.
    fileprivate var dayOfWeek: Int { (number + 3).wrapped(by: 7) + 1 }
}

extension ScheduleTrigger.Period {
    /// Returns the days with a firing, in order, from shortly before `date`.
    fileprivate func days(from date: Date) -> some Sequence<CivilDay> {
        // In any zone, days before the day before yesterday are past.
        let today = min(max(date.timeIntervalSince1970 / 86_400, -1e6), 1e6)
        let earliest = CivilDay(number: Int(today.rounded(.down)) - 2)
        let first = firstDay
        let last = CivilDay(end).number - (time > end.secondOfDay ? 1 : 0)
        let start = first.map { max($0, earliest).number } ?? .max
        return (min(start, last + 1)..<last + 1).lazy.map { CivilDay(number: $0) }.filter { day in
            first.map { has(day) && (count(day) - count($0)) % frequency == 0 } ?? false
        }
    }

    /// The day of the first firing, ignoring the end: `time` on one of the days, at `start` or later.
    private var firstDay: CivilDay? {
        let start = CivilDay(self.start) + (time < self.start.secondOfDay ? 1 : 0)
        // Every day of a month occurs within a leap year.
        return (0...366).lazy.map { start + $0 }.first { has($0) }
    }

    private func has(_ day: CivilDay) -> Bool {
        switch days {
        case .daily: true
        case .ofWeek(let points): points.contains(day.dayOfWeek)
        case .ofMonth(let points): points.contains(day.parts.day)
        }
    }

    /// Returns the number of the day, week or month.
    private func count(_ day: CivilDay) -> Int {
        switch days {
        case .daily: day.number
        case .ofWeek: day.week
        case .ofMonth: day.month
        }
    }
}
