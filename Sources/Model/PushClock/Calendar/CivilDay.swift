/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CivilDay: Hashable, Comparable, Sendable {
    /// Days since 1 January 1970.
    package var number: Int

    package init(number: Int) { self.number = number }

    /// Creates a day of any month and with any number: month 13 is January of the next year, day 0 the last day of the
    /// previous month. Year 0 is 1 BC.
    package init(year: Int, month: Int, day: Int) {
        let months = year * 12 + month - 1
        // The year starts in March, so the leap day comes last.
        let shifted = months - 2
        let year = shifted.floored(by: 12)
        let month = shifted.wrapped(by: 12)
        let cycle = year.floored(by: 400)
        let yearOfCycle = year.wrapped(by: 400)
        let dayOfYear = (153 * month + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        number = cycle * Self.daysInCycle + dayOfCycle - Self.epoch
    }

    /// The number of days in 400 years.
    static let daysInCycle = 146_097
    /// 1 January 1970, counted from 1 March of the year 0.
    private static let epoch = 719_468

    package var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + Self.epoch
        let cycle = shifted.floored(by: Self.daysInCycle)
        let dayOfCycle = shifted.wrapped(by: Self.daysInCycle)
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = cycle * 400 + yearOfCycle
        return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
    }

    /// The weekday; 1 is Sunday.
    package var weekday: Int { (number + 4).wrapped(by: 7) + 1 }

    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }
    package static func + (day: CivilDay, count: Int) -> CivilDay { CivilDay(number: day.number + count) }

    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        CivilDay(year: year, month: month + 1, day: 1).number - CivilDay(year: year, month: month, day: 1).number
    }
}

extension Int {
    /// The quotient, rounded down.
    package func floored(by divisor: Int) -> Int { self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor) }

    /// The remainder, never negative.
    package func wrapped(by divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
