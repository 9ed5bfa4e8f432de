import Foundation
import PushClock
import Testing

/// Where Foundation's answer depends on where the search begins, or matches nothing: what it says, and what the rule says.
@Suite("Calendar rule: differences from Foundation")
struct FoundationDifferencesTests {
    @Test("Foundation skips a day whose time is missing for half an hour; the rule fires when the clocks have jumped")
    func halfHourGap() throws {
        let zone = try zone("Australia/Lord_Howe")
        let components = DateComponents(hour: 2, minute: 10)
        let start = try date("2026-10-03T00:00:00Z")
        #expect(text(foundationNext(components, after: start, in: zone), in: zone) == "2026-10-05T02:10:00+11:00")
        #expect(text(CalendarRule(components, in: zone).next(after: start), in: zone) == "2026-10-04T02:30:00+11:00")
    }

    @Test("Foundation fires again in a repeated hour if asked within it; the rule has fired for that day")
    func askedWithinRepeatedHour() throws {
        let zone = try zone("Pacific/Apia")
        let components = DateComponents(hour: 3, minute: 22, weekday: 1)
        let start = try date("2013-04-07T03:37:47+14:00")
        #expect(text(foundationNext(components, after: start, in: zone), in: zone) == "2013-04-07T03:22:00+13:00")
        #expect(text(CalendarRule(components, in: zone).next(after: start), in: zone) == "2013-04-14T03:22:00+13:00")
    }

    @Test("Foundation skips a month if the missing time is the last hour of its day; the rule fires at midnight")
    func gapBeforeMidnight() throws {
        let zone = try zone("America/Nuuk")
        let components = DateComponents(day: 27, hour: 23, minute: 28)
        let start = try date("2027-03-27T12:00:00Z")
        #expect(text(foundationNext(components, after: start, in: zone), in: zone) == "2027-04-27T23:28:00-01:00")
        #expect(text(CalendarRule(components, in: zone).next(after: start), in: zone) == "2027-03-28T00:00:00-01:00")
    }

    @Test("Foundation forgets this year if asked in the first days of the month; the rule does not")
    func askedBeforeFirstWeekday() throws {
        let components = DateComponents(month: 9, hour: 3, weekday: 7)
        let start = try date("2026-09-01T12:52:24Z")
        #expect(text(foundationNext(components, after: start, in: .gmt), in: .gmt) == "2027-09-04T03:00:00Z")
        #expect(text(CalendarRule(components, in: .gmt).next(after: start), in: .gmt) == "2026-09-05T03:00:00Z")
    }

    @Test("Foundation answers with a first of the month that matches neither day nor weekday; the rule does not")
    func dayAndWeekday() throws {
        let components = DateComponents(day: 2, hour: 2, second: 7, weekday: 6)
        let start = try date("2028-06-02T02:00:07Z")
        #expect(text(foundationNext(components, after: start, in: .gmt), in: .gmt) == "2028-09-01T00:00:00Z")
        #expect(text(CalendarRule(components, in: .gmt).next(after: start), in: .gmt) == "2029-02-02T02:00:07Z")
    }

    @Test("Foundation ends a year's repeats at the first that it is asked at; the rule goes on to the end of the year")
    func yearAsLimit() throws {
        let components = DateComponents(year: 2026, hour: 8)
        let start = try date("2026-06-10T08:00:00Z")
        #expect(foundationNext(components, after: start, in: .gmt) == nil)
        #expect(foundationNext(components, after: start.addingTimeInterval(7_200), in: .gmt) != nil)
        #expect(text(CalendarRule(components, in: .gmt).next(after: start), in: .gmt) == "2026-06-11T08:00:00Z")
    }

    @Test("Foundation leaves the second Monday after a February; the rule does not")
    func ordinalAfterFebruary() throws {
        let components = DateComponents(hour: 2, weekday: 2, weekdayOrdinal: 2)
        let start = try date("2027-02-08T02:00:00Z")
        #expect(text(foundationNext(components, after: start, in: .gmt), in: .gmt) == "2027-03-01T00:00:00Z")
        #expect(text(CalendarRule(components, in: .gmt).next(after: start), in: .gmt) == "2027-03-08T02:00:00Z")
    }

    @Test(
        "Foundation goes on after the year of a date that there is not; the rule fires once, as the next month begins"
    )
    func missingDateOfOneYear() throws {
        let components = DateComponents(year: 2029, month: 11, day: 31)
        let start = try date("2029-01-01T00:00:00Z")
        let first = try date("2029-12-01T00:00:00Z")
        #expect(foundationNext(components, after: start, in: .gmt) == first)
        #expect(text(foundationNext(components, after: first, in: .gmt), in: .gmt) == "2030-12-01T00:00:00Z")
        #expect(CalendarRule(components, in: .gmt).next(after: start) == first)
        #expect(CalendarRule(components, in: .gmt).next(after: first) == nil)
    }

    @Test("Foundation moves a date that has just passed to the next month; the rule says never")
    func pastDate() throws {
        let components = DateComponents(year: 2026, month: 6, day: 22, hour: 2, minute: 48)
        let start = try date("2026-06-30T21:48:46Z")
        #expect(text(foundationNext(components, after: start, in: .gmt), in: .gmt) == "2026-07-01T00:00:00Z")
        #expect(CalendarRule(components, in: .gmt).next(after: start) == nil)
    }

    @Test("Foundation takes Sunday 01:00 for the missing midnight of a Saturday; the rule waits for the Saturday")
    func missingMidnight() throws {
        let zone = try zone("America/Sao_Paulo")
        let components = DateComponents(hour: 0, weekday: 7)
        let start = try date("2018-11-03T17:37:00-03:00")
        #expect(text(foundationNext(components, after: start, in: zone), in: zone) == "2018-11-04T01:00:00-02:00")
        #expect(text(CalendarRule(components, in: zone).next(after: start), in: zone) == "2018-11-10T00:00:00-02:00")
        let sunday = DateComponents(hour: 0, weekday: 1)
        #expect(text(CalendarRule(sunday, in: zone).next(after: start), in: zone) == "2018-11-04T01:00:00-02:00")
    }

    @Test("Foundation leaves out the first day of the week after Samoa's missing day; the rule does not")
    func weekAfterMissingDay() throws {
        let zone = try zone("Pacific/Apia")
        let components = DateComponents(hour: 1, weekOfYear: 1)
        let start = try date("2011-09-23T20:03:23-11:00")
        #expect(text(foundationNext(components, after: start, in: zone), in: zone) == "2012-01-02T01:00:00+14:00")
        #expect(text(CalendarRule(components, in: zone).next(after: start), in: zone) == "2012-01-01T01:00:00+14:00")
    }
}
