import Foundation
import PushClock
import Testing

/// Calendars with the months and days of the Gregorian calendar follow the rules of ``CalendarRule``, not Foundation's.
@Suite("Calendar rule: calendars that share the Gregorian months")
struct SharedMonthCalendarTests {
    static let identifiers: [Calendar.Identifier] = [.gregorian, .iso8601, .buddhist, .japanese, .republicOfChina]

    private func calendar(_ identifier: Calendar.Identifier) -> Calendar {
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        return calendar
    }

    /// The components of a date, as an app takes them from its calendar.
    private func components(
        _ units: Set<Calendar.Component>,
        of text: String,
        in calendar: Calendar
    ) throws -> DateComponents {
        calendar.dateComponents(units, from: try date(text))
    }

    @Test("stackoverflow41526377_aDateInThePastNeverFires", arguments: identifiers)
    func past(_ identifier: Calendar.Identifier) throws {
        let calendar = calendar(identifier)
        let units: Set<Calendar.Component> = [.year, .month, .day]
        let day = try components(units, of: "2026-06-05T09:00:00Z", in: calendar)
        let withEra = try components(units.union([.era]), of: "2026-06-05T09:00:00Z", in: calendar)
        for rule in [CalendarRule(day, in: calendar), CalendarRule(withEra, in: calendar)] {
            #expect(rule.next(after: try date("2026-06-10T12:00:00Z")) == nil)
            #expect(text(rule.next(after: try date("2026-06-01T12:00:00Z")), in: .gmt) == "2026-06-05T00:00:00Z")
        }
    }

    @Test(
        "A past date never fires in calendars with months of their own either",
        arguments: [Calendar.Identifier.chinese, .hebrew, .islamicCivil, .persian, .indian, .ethiopicAmeteAlem]
    )
    func pastInOtherMonths(_ identifier: Calendar.Identifier) throws {
        let calendar = calendar(identifier)
        for day in ["2026-06-05T09:00:00Z", "2026-06-30T09:00:00Z"] {
            let rule = CalendarRule(
                try components([.era, .year, .month, .day, .hour], of: day, in: calendar),
                in: calendar
            )
            #expect(rule.next(after: try date("2026-07-10T12:00:00Z")) == nil)
            #expect(text(rule.next(after: try date("2026-06-01T12:00:00Z")), in: .gmt) == day)
        }
    }

    @Test("A month and a weekday fire in this year if asked in the first days of the month", arguments: identifiers)
    func monthAndWeekday(_ identifier: Calendar.Identifier) throws {
        let rule = CalendarRule(DateComponents(month: 6, weekday: 6), in: calendar(identifier))
        #expect(text(rule.next(after: try date("2026-06-02T12:00:00Z")), in: .gmt) == "2026-06-05T00:00:00Z")
    }

    @Test("All components of a date, with calendar, zone and nanosecond, mean that date", arguments: identifiers)
    func allComponents(_ identifier: Calendar.Identifier) throws {
        let meant = try date("2026-06-05T09:30:15Z").addingTimeInterval(0.25)
        let rule = CalendarRule(calendar(identifier).dateComponents(in: .gmt, from: meant), in: .gmt)
        let next = try #require(rule.next(after: try date("2026-06-02T12:00:00Z")))
        #expect(abs(next.timeIntervalSince(meant)) < 0.000_001)
        #expect(rule.next(after: next) == nil)
        #expect(rule.next(after: try date("2026-06-10T12:00:00Z")) == nil)
    }

    @Test("A nanosecond moves each firing by a fraction of a second", arguments: identifiers)
    func nanoseconds(_ identifier: Calendar.Identifier) throws {
        let rule = CalendarRule(DateComponents(hour: 8, nanosecond: 500_000_000), in: calendar(identifier))
        let eight = try date("2026-06-05T08:00:00Z")
        #expect(rule.next(after: eight) == eight.addingTimeInterval(0.5))
        #expect(rule.next(after: eight.addingTimeInterval(0.4)) == eight.addingTimeInterval(0.5))
        #expect(rule.next(after: eight.addingTimeInterval(0.5)) == eight.addingTimeInterval(86_400.5))
        #expect(CalendarRule(DateComponents(hour: 8, nanosecond: -1), in: .gmt).next(after: eight) == nil)
        let past = DateComponents(year: 2026, month: 6, day: 5, nanosecond: 7)
        #expect(CalendarRule(past, in: .gmt).next(after: try date("2026-06-10T12:00:00Z")) == nil)
    }

    @Test("A day of the year is a date")
    func dayOfYear() throws {
        var components = DateComponents(year: 2026, hour: 9)
        components.dayOfYear = 156
        let rule = CalendarRule(components, in: .gmt)
        #expect(text(rule.next(after: try date("2026-06-01T12:00:00Z")), in: .gmt) == "2026-06-05T09:00:00Z")
        #expect(rule.next(after: try date("2026-06-10T12:00:00Z")) == nil)
        var leap = DateComponents()
        leap.dayOfYear = 366
        #expect(
            text(CalendarRule(leap, in: .gmt).next(after: try date("2026-06-01T12:00:00Z")), in: .gmt)
                == "2028-12-31T00:00:00Z"
        )
        leap.dayOfYear = 367
        #expect(CalendarRule(leap, in: .gmt).next(after: try date("2026-06-01T12:00:00Z")) == nil)
    }

    @Test(
        "Years are those of the calendar",
        arguments: [
            (.buddhist, 2_570, "2027-03-01T00:00:00Z"), (.buddhist, 2_026, "never"),
            (.japanese, 9, "2027-03-01T00:00:00Z"), (.japanese, 2_026, "4044-03-01T00:00:00Z"),
            (.republicOfChina, 116, "2027-03-01T00:00:00Z"), (.iso8601, 2_027, "2027-03-01T00:00:00Z"),
        ] as [(Calendar.Identifier, Int, String)]
    )
    func years(_ identifier: Calendar.Identifier, _ year: Int, _ expected: String) throws {
        let rule = CalendarRule(DateComponents(year: year, month: 3, day: 1), in: calendar(identifier))
        #expect(text(rule.next(after: try date("2026-06-10T12:00:00Z")), in: .gmt) == expected)
    }

    @Test("A Japanese year without an era is that of the era then; an era that is over is past")
    func japaneseEras() throws {
        let japanese = calendar(.japanese)
        let may = CalendarRule(DateComponents(year: 1, month: 5, day: 1), in: japanese)
        #expect(text(may.next(after: try date("1989-01-10T00:00:00Z")), in: .gmt) == "1989-05-01T00:00:00Z")
        #expect(text(may.next(after: try date("2019-03-01T00:00:00Z")), in: .gmt) == "2019-05-01T00:00:00Z")
        let january = CalendarRule(DateComponents(era: 236, year: 1, month: 1, day: 7), in: japanese)
        #expect(january.next(after: try date("2018-03-01T00:00:00Z")) == nil)
        let over = CalendarRule(DateComponents(era: 235, month: 6, day: 5), in: japanese)
        #expect(over.next(after: try date("2026-03-01T00:00:00Z")) == nil)
    }

    @Test("Weeks are those of the calendar: ISO 8601's begin on Monday")
    func weeks() throws {
        let first = DateComponents(weekday: 2, weekOfYear: 1, yearForWeekOfYear: 2_027)
        let start = try date("2026-06-10T12:00:00Z")
        #expect(
            text(CalendarRule(first, in: calendar(.iso8601)).next(after: start), in: .gmt) == "2027-01-04T00:00:00Z"
        )
        #expect(text(CalendarRule(first, in: .gmt).next(after: start), in: .gmt) == "2026-12-28T00:00:00Z")
    }
}
