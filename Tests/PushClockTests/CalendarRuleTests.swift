import Foundation
import PushClock
import TestSupport
import Testing

@Suite("Calendar rule")
struct CalendarRuleTests {
    @Test("Weekly, Monday 8:00")
    func weeklyMonday8() throws {
        let found = try firings(DateComponents(hour: 8, weekday: 2), after: "2026-03-02T07:59:59Z")
        #expect(found == ["2026-03-02T08:00:00Z", "2026-03-09T08:00:00Z", "2026-03-16T08:00:00Z"])
    }

    @Test("Every Wednesday 13:00")
    func everyWednesday13() throws {
        let found = try firings(
            DateComponents(hour: 13, weekday: 4),
            in: "Asia/Shanghai",
            after: "2026-01-01T00:00:00Z"
        )
        #expect(found == ["2026-01-07T13:00:00+08:00", "2026-01-14T13:00:00+08:00", "2026-01-21T13:00:00+08:00"])
    }

    @Test("Hour alone is the full hour, strictly after now")
    func hourAlone() throws {
        let found = try firings(DateComponents(hour: 8), after: "2026-01-01T08:00:00Z", count: 2)
        #expect(found == ["2026-01-02T08:00:00Z", "2026-01-03T08:00:00Z"])
    }

    @Test("A fraction of a second before a firing is before it")
    func fractions() throws {
        let rule = CalendarRule(DateComponents(hour: 8), in: .gmt)
        let firing = try date("2026-01-01T08:00:00Z")
        #expect(rule.next(after: firing.addingTimeInterval(-0.001)) == firing)
        #expect(rule.next(after: firing.addingTimeInterval(0.001)) == firing.addingTimeInterval(86_400))
    }

    @Test("Minute alone fires every hour, also beside a weekday")
    func minuteAlone() throws {
        #expect(
            try firings(DateComponents(minute: 30), after: "2026-01-01T22:45:00Z", count: 2)
                == ["2026-01-01T23:30:00Z", "2026-01-02T00:30:00Z"]
        )
        #expect(
            try firings(DateComponents(minute: 30, weekday: 5), after: "2026-01-01T22:45:00Z", count: 2)
                == ["2026-01-01T23:30:00Z", "2026-01-08T00:30:00Z"]
        )
    }

    @Test("The seed's mistake: weekday and month fires once a year")
    func weekdayAndMonthMistake() throws {
        let mistake = DateComponents(month: 3, hour: 8, minute: 0, weekday: 2)
        let expected = ["2026-03-02T08:00:00Z", "2027-03-01T08:00:00Z", "2028-03-06T08:00:00Z"]
        #expect(try firings(mistake, after: "2026-01-01T00:00:00Z") == expected)
    }

    @Test("A fully given date fires once; one in the past never")
    func fullDate() throws {
        let date = DateComponents(year: 2026, month: 5, day: 4, hour: 9, minute: 30)
        #expect(try firings(date, after: "2026-01-01T00:00:00Z") == ["2026-05-04T09:30:00Z"])
        #expect(try firings(date, after: "2026-05-04T09:30:00Z").isEmpty)
    }

    @Test("A year limits the rule to itself")
    func yearLimits() throws {
        let mondays = DateComponents(year: 2026, hour: 8, weekday: 2)
        #expect(
            try firings(mondays, after: "2026-12-15T00:00:00Z") == ["2026-12-21T08:00:00Z", "2026-12-28T08:00:00Z"]
        )
        #expect(try firings(DateComponents(year: 2027), after: "2026-12-15T00:00:00Z") == ["2027-01-01T00:00:00Z"])
    }

    @Test("30 February fires as March begins")
    func february30() throws {
        let found = try firings(DateComponents(month: 2, day: 30, hour: 8), after: "2027-01-01T00:00:00Z")
        #expect(found == ["2027-03-01T00:00:00Z", "2028-03-01T00:00:00Z", "2029-03-01T00:00:00Z"])
    }

    @Test("29 February is a day of its own in leap years, 1 March in others")
    func february29() throws {
        let found = try firings(DateComponents(month: 2, day: 29), after: "2026-06-01T00:00:00Z")
        #expect(found == ["2027-03-01T00:00:00Z", "2028-02-29T00:00:00Z", "2029-03-01T00:00:00Z"])
        // 2100 has none.
        let century = try firings(DateComponents(month: 2, day: 29), after: "2096-03-01T00:00:00Z", count: 8)
        #expect(century.filter { $0.hasSuffix("-02-29T00:00:00Z") } == ["2104-02-29T00:00:00Z"])
    }

    @Test("Day 31 fires as the next month begins where a month has none")
    func day31() throws {
        let found = try firings(DateComponents(day: 31, hour: 8), after: "2026-03-01T00:00:00Z")
        #expect(found == ["2026-03-31T08:00:00Z", "2026-05-01T00:00:00Z", "2026-05-31T08:00:00Z"])
    }

    @Test("Day and weekday must both match: Friday the 13th")
    func friday13() throws {
        let found = try firings(DateComponents(day: 13, hour: 0, weekday: 6), after: "2026-01-01T00:00:00Z")
        #expect(found == ["2026-02-13T00:00:00Z", "2026-03-13T00:00:00Z", "2026-11-13T00:00:00Z"])
    }

    @Test("The third Thursday of each month")
    func thirdThursday() throws {
        let found = try firings(DateComponents(hour: 19, weekday: 5, weekdayOrdinal: 3), after: "2026-01-01T00:00:00Z")
        #expect(found == ["2026-01-15T19:00:00Z", "2026-02-19T19:00:00Z", "2026-03-19T19:00:00Z"])
    }

    @Test("Weeks are counted as the calendar in use counts them")
    func weeks() throws {
        var german = Calendar(identifier: .gregorian)
        german.timeZone = .gmt
        german.firstWeekday = 2
        german.minimumDaysInFirstWeek = 4
        let start = try date("2026-06-01T00:00:00Z")
        let week = DateComponents(weekOfYear: 1)
        #expect(CalendarRule(week, in: german).next(after: start) == (try date("2027-01-04T00:00:00Z")))
        #expect(CalendarRule(week, in: .gmt).next(after: start) == (try date("2026-12-27T00:00:00Z")))
    }

    static let impossible = [
        DateComponents(), DateComponents(hour: 25), DateComponents(month: 13), DateComponents(day: 0),
        DateComponents(month: 2, day: 30, weekday: 2), DateComponents(hour: 8, weekdayOrdinal: 1, weekOfMonth: 6),
        DateComponents(era: 0, hour: 8), DateComponents(month: 1, weekOfYear: 30),
        DateComponents(year: 2026, month: 2, day: 1, weekday: 2), DateComponents(second: 60),
        DateComponents(weekday: 2, weekOfYear: 3, yearForWeekOfYear: 2020),
    ]

    @Test("A rule that never matches is nil, and soon", .suiteLimit, arguments: impossible)
    func never(_ components: DateComponents) throws {
        let start = try date("2026-01-01T00:00:00Z")
        let rule = CalendarRule(components, in: .gmt)
        for day in 0..<50 { #expect(rule.next(after: start.addingTimeInterval(Double(day) * 86_400)) == nil) }
    }

    @Test("Far from our time Foundation answers, and no date has no next")
    func farAway() throws {
        let rule = CalendarRule(DateComponents(month: 12, day: 25, hour: 8), in: .gmt)
        #expect(rule.next(after: try date("2199-12-30T00:00:00Z")) == (try date("2200-12-25T08:00:00Z")))
        #expect(rule.next(after: try date("3000-01-01T00:00:00Z")) == (try date("3000-12-25T08:00:00Z")))
        #expect(rule.next(after: try date("1850-01-01T00:00:00Z")) == (try date("1850-12-25T08:00:00Z")))
        for seconds in [Double.nan, .infinity, -.infinity] {
            #expect(rule.next(after: Date(timeIntervalSince1970: seconds)) == nil)
        }
    }

    @Test("A rule without a zone follows the traveller, one with a zone stays")
    func zones() throws {
        let start = try date("2026-06-01T12:00:00Z")
        let tokyo = try zone("Asia/Tokyo")
        let evening = DateComponents(hour: 18)
        #expect(
            CalendarRule(evening, in: try zone("Europe/Berlin")).next(after: start)
                == (try date("2026-06-01T16:00:00Z"))
        )
        #expect(CalendarRule(evening, in: tokyo).next(after: start) == (try date("2026-06-02T09:00:00Z")))
        let fixed = DateComponents(timeZone: tokyo, hour: 18)
        #expect(
            CalendarRule(fixed, in: try zone("Europe/Berlin")).next(after: start) == (try date("2026-06-02T09:00:00Z"))
        )
    }

    @Test("The components' calendar counts; Calendar.current leaves the zone to the device")
    func ownCalendar() throws {
        let start = try date("2026-06-01T12:00:00Z")
        var components = DateComponents(hour: 18)
        components.calendar = .current
        #expect(
            CalendarRule(components, in: try zone("Asia/Tokyo")).next(after: start)
                == (try date("2026-06-02T09:00:00Z"))
        )
        var abroad = Calendar(identifier: .gregorian)
        abroad.timeZone = try zone("Australia/Lord_Howe")
        components.calendar = abroad
        #expect(
            CalendarRule(components, in: try zone("Asia/Tokyo")).next(after: start)
                == (try date("2026-06-02T07:30:00Z"))
        )
    }

    @Test("Another calendar than the Gregorian is Foundation's")
    func otherCalendars() throws {
        var hebrew = Calendar(identifier: .hebrew)
        hebrew.timeZone = .gmt
        let newYear = DateComponents(month: 1, day: 1, hour: 8)
        let start = try date("2026-06-01T12:00:00Z")
        let expected = hebrew.nextDate(after: start, matching: newYear, matchingPolicy: .nextTime)
        #expect(CalendarRule(newYear, in: hebrew).next(after: start) == expected)
        #expect(expected == (try date("2026-09-12T08:00:00Z")))
    }

    @Test("Equal rules are equal", arguments: ["UTC", "Europe/Berlin"])
    func equality(_ name: String) throws {
        let zone = try zone(name)
        let rule = CalendarRule(DateComponents(hour: 8), in: zone)
        #expect(Set([rule, CalendarRule(DateComponents(hour: 8), in: zone)]).count == 1)
        #expect(rule != CalendarRule(DateComponents(hour: 9), in: zone))
        #expect(rule != CalendarRule(DateComponents(hour: 8), in: try PushClockTests.zone("Asia/Tokyo")))
    }
}
