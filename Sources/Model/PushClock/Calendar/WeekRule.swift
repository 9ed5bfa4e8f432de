/// The rule by which weeks are numbered.
struct WeekRule: Hashable, Sendable {
    /// The first day of a week; 1 is Sunday.
    var firstWeekday = 1
    /// The minimum number of days in the first week of a month or year.
    var minimumDays = 1

    func weekOfMonth(_ day: CivilDay) -> Int { week(of: day.parts.day, weekday: day.weekday) }

    func weekOfYear(_ day: CivilDay) -> (year: Int, week: Int) {
        let year = day.parts.year
        let first = start(ofWeekYear: year)
        if day < first { return (year - 1, (day.number - start(ofWeekYear: year - 1).number) / 7 + 1) }
        if day >= start(ofWeekYear: year + 1) { return (year + 1, 1) }
        return (year, (day.number - first.number) / 7 + 1)
    }

    /// The first day of the first week.
    func start(ofWeekYear year: Int) -> CivilDay {
        let first = CivilDay(year: year, month: 1, day: 1)
        let passed = (first.weekday - firstWeekday).wrapped(by: 7)
        return first + (7 - passed >= minimumDays ? -passed : 7 - passed)
    }

    private func week(of day: Int, weekday: Int) -> Int {
        let passed = (weekday - firstWeekday - day + 1).wrapped(by: 7)
        return (day + passed - 1) / 7 + (7 - passed >= minimumDays ? 1 : 0)
    }
}
