import Foundation

/// An era of a calendar that shares the months and days of the proleptic Gregorian calendar, and numbers its years differently.
struct CalendarEra: Hashable, Sendable {
    /// The era in `DateComponents`; nil if a rule names neither an era nor a year.
    var number: Int?
    /// The Gregorian year that precedes the first year of the era.
    var yearZero: Int
    /// The days of the era; nil if it has no border in the years since 1900.
    var days: Range<CivilDay>?

    /// Returns the eras in which a date may match the components, without those that ended before 1926.
    ///
    /// - Returns: nil for a calendar with other months and days.
    static func eras(for components: DateComponents, in calendar: Calendar.Identifier) -> [CalendarEra]? {
        guard let eras = eras(of: calendar) else { return nil }
        if components.era == nil, components.year == nil { return [CalendarEra(yearZero: 0)] }
        return eras.filter { components.era == nil || components.era == $0.number }
    }

    /// Source: ICU, `japancal`, `taiwncal` and `buddhcal`; they number the years of weeks as the Gregorian calendar does.
    private static func eras(of calendar: Calendar.Identifier) -> [CalendarEra]? {
        switch calendar {
        // Years BC are past.
        case .gregorian, .iso8601: [CalendarEra(number: 1, yearZero: 0)]
        case .buddhist: [CalendarEra(number: 0, yearZero: -543)]
        case .republicOfChina:
            [CalendarEra(number: 1, yearZero: 1_911, days: CivilDay(year: 1_912, month: 1, day: 1)..<end)]
        case .japanese: japanese
        default: nil
        }
    }

    private static let end = CivilDay(year: 10_000, month: 1, day: 1)

    private static let japanese: [CalendarEra] = {
        let showa = CivilDay(year: 1_926, month: 12, day: 25)
        let heisei = CivilDay(year: 1_989, month: 1, day: 8)
        let reiwa = CivilDay(year: 2_019, month: 5, day: 1)
        return [
            CalendarEra(number: 234, yearZero: 1_925, days: showa..<heisei),
            CalendarEra(number: 235, yearZero: 1_988, days: heisei..<reiwa),
            CalendarEra(number: 236, yearZero: 2_018, days: reiwa..<end),
        ]
    }()
}
