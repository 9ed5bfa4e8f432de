import Foundation
import PushClock
import Testing

@Suite("Calendar rule: daylight saving")
struct DaylightSavingTests {
    @Test("A daily reminder fires once a day, at the right time on the wall, across both changes of the clocks")
    func lamp439_dailyReminderAroundDST() throws {
        let nine = DateComponents(hour: 9, minute: 15)
        #expect(
            try firings(nine, in: "America/New_York", after: "2026-03-07T05:00:00Z")
                == ["2026-03-07T09:15:00-05:00", "2026-03-08T09:15:00-04:00", "2026-03-09T09:15:00-04:00"]
        )
        #expect(
            try firings(nine, in: "America/New_York", after: "2026-10-31T04:00:00Z")
                == ["2026-10-31T09:15:00-04:00", "2026-11-01T09:15:00-05:00", "2026-11-02T09:15:00-05:00"]
        )
        for name in ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe"] {
            for (hour, minute) in [(0, 0), (1, 30), (2, 10), (2, 30), (3, 0), (23, 59)] {
                let year = try firings(
                    DateComponents(hour: hour, minute: minute),
                    in: name,
                    after: "2026-01-01T12:00:00Z",
                    count: 365
                )
                #expect(Set(year.map { $0.prefix(10) }).count == 365, "\(name) \(hour):\(minute)")
            }
        }
    }

    @Test("02:30 on the day it is missing fires at 03:00")
    func missingHour() throws {
        let found = try firings(
            DateComponents(hour: 2, minute: 30),
            in: "America/New_York",
            after: "2026-03-07T12:00:00Z"
        )
        #expect(found == ["2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00", "2026-03-10T02:30:00-04:00"])
    }

    @Test("01:30 on the day that has it twice fires at the first")
    func repeatedHour() throws {
        let found = try firings(
            DateComponents(hour: 1, minute: 30),
            in: "America/New_York",
            after: "2026-10-31T12:00:00Z"
        )
        #expect(found == ["2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00", "2026-11-03T01:30:00-05:00"])
    }

    @Test("An hourly reminder fires in both hours of the same name")
    func hourlyAcrossRepeatedHour() throws {
        let found = try firings(DateComponents(minute: 30), in: "America/New_York", after: "2026-11-01T04:45:00Z")
        #expect(found == ["2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00", "2026-11-01T02:30:00-05:00"])
    }

    @Test("Lord Howe's half hour")
    func lordHowe() throws {
        #expect(
            try firings(DateComponents(minute: 45), in: "Australia/Lord_Howe", after: "2026-04-04T14:00:00Z")
                == ["2026-04-05T01:45:00+11:00", "2026-04-05T01:45:00+10:30", "2026-04-05T02:45:00+10:30"]
        )
        #expect(
            try firings(
                DateComponents(hour: 2, second: 39),
                in: "Australia/Lord_Howe",
                after: "2027-10-02T12:00:00Z",
                count: 1
            )
                == ["2027-10-03T02:30:39+11:00"]
        )
    }

    @Test("Samoa's missing day does not fire")
    func apia() throws {
        #expect(
            try firings(DateComponents(hour: 8), in: "Pacific/Apia", after: "2011-12-29T00:00:00Z")
                == ["2011-12-29T08:00:00-10:00", "2011-12-31T08:00:00+14:00", "2012-01-01T08:00:00+14:00"]
        )
        #expect(
            try firings(DateComponents(day: 30), in: "Pacific/Apia", after: "2011-12-01T00:00:00Z", count: 1)
                == ["2012-01-30T00:00:00+14:00"]
        )
    }
}
