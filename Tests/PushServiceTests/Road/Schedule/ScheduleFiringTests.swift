import Foundation
import PushModel
import PushService
import Testing

@Suite("When schedules fire")
struct ScheduleFiringTests {
    private static func text(_ date: Date, in zone: TimeZone) -> String {
        Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false)
            .timeZone(separator: .colon).format(date)
    }

    /// The first firings after `date`, as clocks in the zone show them.
    private static func firings(
        _ json: String,
        in name: String,
        after date: String = "2000-01-01T00:00:00Z",
        count: Int = 4
    ) throws -> [String] {
        let zone = try #require(TimeZone(identifier: name))
        let trigger = try ScheduleTrigger(json: JSONValue(parsing: json))
        var last = try Date(date, strategy: .iso8601)
        var found: [String] = []
        while found.count < count, let next = trigger.next(after: last, in: zone) {
            found.append(text(next, in: zone))
            last = next
        }
        return found
    }

    private static func periodical(
        _ start: String,
        _ end: String,
        _ time: String,
        _ unit: String,
        _ point: String = "null",
        every frequency: Int = 1
    ) -> String {
        """
        {"periodical":{"start":"\(start)","end":"\(end)","time":"\(time)","time_unit":"\(unit)","point":\(point),
         "frequency":\(frequency)}}
        """
    }

    @Test("A single schedule fires once, at its time in the zone")
    func single() throws {
        let json = "{\"single\":{\"time\":\"2026-12-01 09:00:00\"}}"
        #expect(try Self.firings(json, in: "Asia/Shanghai") == ["2026-12-01T09:00:00+08:00"])
        #expect(try Self.firings(json, in: "Asia/Shanghai", after: "2026-12-01T01:00:00Z") == [])
        let own = "{\"single\":{\"time\":\"2026-12-01 09:00:00\"},\"zone\":\"Europe/Berlin\"}"
        #expect(try Self.firings(own, in: "UTC") == ["2026-12-01T08:00:00Z"])
    }

    @Test("The first firing is not before the start, and none comes after the end")
    func bounds() throws {
        #expect(
            try Self.firings(
                Self.periodical("2026-12-01 12:00:00", "2026-12-03 12:00:00", "12:00:00", "day"),
                in: "UTC"
            )
                == ["2026-12-01T12:00:00Z", "2026-12-02T12:00:00Z", "2026-12-03T12:00:00Z"]
        )
        #expect(
            try Self.firings(
                Self.periodical("2026-12-01 12:00:01", "2026-12-03 11:59:59", "12:00:00", "DAY"),
                in: "UTC"
            )
                == ["2026-12-02T12:00:00Z"]
        )
        #expect(
            try Self.firings(
                Self.periodical("2026-12-01 12:00:01", "2026-12-02 11:00:00", "12:00:00", "day"),
                in: "UTC"
            )
                == []
        )
    }

    @Test("Periods are counted from the one with the first firing")
    func periods() throws {
        #expect(
            try Self.firings(
                Self.periodical("2026-12-01 13:00:00", "2027-12-01 00:00:00", "12:00:00", "day", every: 3),
                in: "UTC"
            ) == ["2026-12-02T12:00:00Z", "2026-12-05T12:00:00Z", "2026-12-08T12:00:00Z", "2026-12-11T12:00:00Z"]
        )
        // 3 December 2026 is a Thursday.
        #expect(
            try Self.firings(
                Self.periodical(
                    "2026-12-03 00:00:00",
                    "2027-12-01 00:00:00",
                    "12:00:00",
                    "week",
                    "[\"wed\",\"FRI\"]",
                    every: 2
                ),
                in: "UTC"
            ) == ["2026-12-04T12:00:00Z", "2026-12-16T12:00:00Z", "2026-12-18T12:00:00Z", "2026-12-30T12:00:00Z"]
        )
        // A Sunday ends its week.
        #expect(
            try Self.firings(
                Self.periodical(
                    "2026-12-05 00:00:00",
                    "2027-12-01 00:00:00",
                    "12:00:00",
                    "week",
                    "[\"SUN\",\"MON\"]",
                    every: 2
                ),
                in: "UTC"
            ) == ["2026-12-06T12:00:00Z", "2026-12-14T12:00:00Z", "2026-12-20T12:00:00Z", "2026-12-28T12:00:00Z"]
        )
        #expect(
            try Self.firings(
                Self.periodical(
                    "2026-11-16 00:00:00",
                    "2027-11-01 00:00:00",
                    "08:00:00",
                    "month",
                    "[\"15\"]",
                    every: 2
                ),
                in: "UTC"
            ) == ["2026-12-15T08:00:00Z", "2027-02-15T08:00:00Z", "2027-04-15T08:00:00Z", "2027-06-15T08:00:00Z"]
        )
    }

    @Test("A month without the day is passed over; 29 February comes in leap years")
    func monthEnds() throws {
        #expect(
            try Self.firings(
                Self.periodical("2026-01-01 00:00:00", "2026-12-31 00:00:00", "08:00:00", "month", "[\"31\"]"),
                in: "UTC"
            ) == ["2026-01-31T08:00:00Z", "2026-03-31T08:00:00Z", "2026-05-31T08:00:00Z", "2026-07-31T08:00:00Z"]
        )
        for (year, expected) in [(2027, "2027-03-29"), (2028, "2028-02-29"), (2100, "2100-03-29")] {
            let json = Self.periodical(
                "\(year)-02-01 00:00:00",
                "\(year)-12-01 00:00:00",
                "08:00:00",
                "month",
                "[\"29\"]"
            )
            #expect(try Self.firings(json, in: "UTC", count: 1) == [expected + "T08:00:00Z"])
        }
    }

    @Test(
        "Across a change of the clocks: right on the wall, at the jump where the time is missing, once where it comes twice",
        arguments: [
            (
                "Europe/Berlin", "2026-03-28", "02:30:00",
                ["2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"]
            ),
            (
                "Europe/Berlin", "2026-10-24", "02:30:00",
                ["2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]
            ),
            (
                "America/New_York", "2026-03-07", "02:30:00",
                ["2026-03-07T02:30:00-05:00", "2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"]
            ),
            (
                "America/New_York", "2026-10-31", "01:30:00",
                ["2026-10-31T01:30:00-04:00", "2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"]
            ),
            (
                "Europe/Berlin", "2026-03-28", "09:00:00",
                ["2026-03-28T09:00:00+01:00", "2026-03-29T09:00:00+02:00", "2026-03-30T09:00:00+02:00"]
            ),
        ]
    )
    func ntfy1924_daylightSaving(_ zone: String, _ day: String, _ time: String, _ expected: [String]) throws {
        let json = Self.periodical("\(day) 00:00:00", "2026-12-31 00:00:00", time, "day")
        #expect(try Self.firings(json, in: zone, count: 3) == expected)
    }

    /// Walks day by day with Foundation's calendar, and knows nothing of how firings are found.
    private static func model(_ period: ScheduleTrigger.Period, in zone: TimeZone) throws -> [Date] {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        var plain = calendar
        plain.timeZone = .gmt
        func noon(_ time: WallTime) throws -> Date {
            try #require(plain.date(from: DateComponents(year: time.year, month: time.month, day: time.day, hour: 12)))
        }
        var day = try noon(period.start)
        let end = try noon(period.end)
        var firstUnit: Date?
        var found: [Date] = []
        while day <= end {
            defer { day.addTimeInterval(86_400) }
            let parts = plain.dateComponents([.year, .month, .day, .weekday], from: day)
            let isFirstDay = try day == noon(period.start) && period.time < period.start.secondOfDay
            let isLastDay = day == end && period.time > period.end.secondOfDay
            let unit: Calendar.Component
            let isPoint: Bool
            switch period.days {
            case .daily: (unit, isPoint) = (.day, true)
            case .ofWeek(let points):
                unit = .weekOfYear
                isPoint = points.contains(try #require(parts.weekday) == 1 ? 7 : try #require(parts.weekday) - 1)
            case .ofMonth(let points): (unit, isPoint) = (.month, points.contains(try #require(parts.day)))
            }
            guard isPoint, !isFirstDay, !isLastDay else { continue }
            let start = try #require(plain.dateInterval(of: unit, for: day)).start
            let first = firstUnit ?? start
            firstUnit = first
            let passed = plain.dateComponents([unit], from: first, to: start)
            guard try #require(passed.value(for: unit)) % period.frequency == 0 else { continue }
            let midnight = DateComponents(year: parts.year, month: parts.month, day: parts.day)
            let before = try #require(calendar.date(from: midnight)).addingTimeInterval(-1)
            let time = DateComponents(hour: period.time / 3600, minute: period.time / 60 % 60, second: period.time % 60)
            found.append(
                try #require(calendar.nextDate(after: before, matching: time, matchingPolicy: .nextTime))
            )
        }
        return found
    }

    @Test("Equals a walk from day to day", arguments: ["UTC", "Asia/Shanghai", "Europe/Berlin", "America/New_York"])
    func model(_ name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        for seed in 0..<60 {
            var random = SplitMix(seed: UInt64(seed))
            func day(_ year: Int) throws -> WallTime {
                let month = Int.random(in: 1...12, using: &random)
                let text = String(
                    format: "%04d-%02d-%02d %02d:%02d:00",
                    year,
                    month,
                    Int.random(in: 1...28, using: &random),
                    Int.random(in: 0...23, using: &random),
                    Int.random(in: 0...59, using: &random)
                )
                return try #require(WallTime(text))
            }
            let pair = [try day(2027), try day(2027 + seed % 2)].sorted()
            guard pair[1] <= pair[0].yearLater else { continue }
            let days: [ScheduleTrigger.Period.Days] = [
                .daily, .ofWeek(Set((1...7).filter { _ in Bool.random(using: &random) } + [seed % 7 + 1])),
                .ofMonth(Set((1...31).filter { _ in Int.random(in: 0..<6, using: &random) == 0 } + [seed % 31 + 1])),
            ]
            let period = ScheduleTrigger.Period(
                start: pair[0],
                end: pair[1],
                time: Int.random(in: 0..<86_400, using: &random),
                days: days[seed % 3],
                frequency: [1, 1, 2, 3, 7][seed % 5]
            )
            let trigger = ScheduleTrigger(.periodical(period))
            var found: [Date] = []
            var last = Date.distantPast
            while let next = trigger.next(after: last, in: zone) {
                found.append(next)
                last = next
            }
            #expect(try found == Self.model(period, in: zone), "\(period)")
        }
    }

    @Test("The last of several that were missed, and what comes after it")
    func last() throws {
        let json = Self.periodical("2026-12-01 00:00:00", "2026-12-31 00:00:00", "12:00:00", "day")
        let trigger = try ScheduleTrigger(json: JSONValue(parsing: json))
        let first = try #require(trigger.next(after: .distantPast, in: .gmt))
        let day: TimeInterval = 86_400
        let early = trigger.firings(from: first, to: first.addingTimeInterval(day - 1), in: .gmt)
        #expect(early.last == first)
        #expect(early.next == first.addingTimeInterval(day))
        let third = first.addingTimeInterval(2 * day)
        let late = trigger.firings(from: first, to: third.addingTimeInterval(60), in: .gmt)
        #expect(late.last == third)
        #expect(late.next == third.addingTimeInterval(day))
        let over = trigger.firings(from: third, to: first.addingTimeInterval(100 * day), in: .gmt)
        #expect(over.last == first.addingTimeInterval(29 * day))
        #expect(over.next == nil)
    }
}
