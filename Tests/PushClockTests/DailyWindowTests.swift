import Foundation
import PushClock
import Testing

@Suite("A window of every day")
struct DailyWindowTests {
    private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private func date(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }

    private func window(_ start: String, _ end: String) throws -> DailyWindow {
        func seconds(_ text: String) -> Int {
            let parts = text.split(separator: ":").compactMap { Int($0) }
            return (parts[0] * 60 + parts[1]) * 60
        }
        return try #require(DailyWindow(start: seconds(start), end: seconds(end)))
    }

    @Test(
        "RocketChat.ReactNative #2048: one that goes on past midnight is one window; its end is not in it",
        arguments: [
            ("2026-01-01T13:59:59Z", nil), ("2026-01-01T14:00:00Z", "2026-01-01T23:00:00Z"),
            ("2026-01-01T15:59:59Z", "2026-01-01T23:00:00Z"), ("2026-01-01T16:00:00Z", "2026-01-01T23:00:00Z"),
            ("2026-01-01T22:59:59Z", "2026-01-01T23:00:00Z"), ("2026-01-01T23:00:00Z", nil),
        ] as [(String, String?)]
    )
    func rocketChat2048_wrapsMidnight(_ now: String, _ end: String?) throws {
        let night = try window("22:00", "07:00")
        #expect(try night.end(of: date(now), in: zone("Asia/Shanghai")) == end.map { try date($0) })
    }

    @Test(
        "daintree #5394: one within a day, to the fraction of a second",
        arguments: [
            ("2026-01-01T12:29:59Z", nil), ("2026-01-01T12:30:00Z", "2026-01-01T14:00:00Z"),
            ("2026-01-01T13:59:59Z", "2026-01-01T14:00:00Z"), ("2026-01-01T14:00:00Z", nil),
        ] as [(String, String?)]
    )
    func daintree5394_withinADay(_ now: String, _ end: String?) throws {
        let noon = try window("12:30", "14:00")
        let expected = try end.map { try date($0) }
        #expect(try noon.end(of: date(now), in: .gmt) == expected)
        #expect(try noon.end(of: date(now).addingTimeInterval(0.999), in: .gmt) == expected)
    }

    /// Berlin's clocks jump from 02:00 to 03:00 on 29 March 2026, at 01:00 UTC.
    @Test(
        "A time that clocks jump over is the moment of the jump",
        arguments: [
            // Ends at 02:30, which is not there.
            ("22:00", "02:30", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"),
            ("22:00", "02:30", "2026-03-29T01:00:00Z", nil),
            // Begins at 02:30.
            ("02:30", "05:00", "2026-03-29T00:59:59Z", nil),
            ("02:30", "05:00", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00Z"),
            // Lies within the hour that is not there.
            ("02:15", "02:45", "2026-03-29T01:00:00Z", nil), ("02:15", "02:45", "2026-03-29T00:30:00Z", nil),
            // The night is an hour shorter.
            ("22:00", "07:00", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
        ] as [(String, String, String, String?)]
    )
    func springForward(_ start: String, _ end: String, _ now: String, _ expected: String?) throws {
        let found = try window(start, end).end(of: try date(now), in: try zone("Europe/Berlin"))
        #expect(try found == expected.map { try date($0) })
    }

    /// Berlin's clocks go from 03:00 back to 02:00 on 25 October 2026, at 01:00 UTC.
    @Test(
        "A window at a time that clocks show twice begins at the first and ends at the second",
        arguments: [
            ("22:00", "02:30", "2026-10-25T00:29:59Z", "2026-10-25T01:30:00Z"),
            ("22:00", "02:30", "2026-10-25T00:45:00Z", "2026-10-25T01:30:00Z"),
            ("22:00", "02:30", "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"),
            ("22:00", "02:30", "2026-10-25T01:30:00Z", nil),
            ("02:30", "05:00", "2026-10-25T00:29:59Z", nil),
            ("02:30", "05:00", "2026-10-25T00:30:00Z", "2026-10-25T04:00:00Z"),
            ("02:30", "05:00", "2026-10-25T01:10:00Z", "2026-10-25T04:00:00Z"),
            // The night is an hour longer.
            ("22:00", "07:00", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
        ] as [(String, String, String, String?)]
    )
    func fallBack(_ start: String, _ end: String, _ now: String, _ expected: String?) throws {
        let found = try window(start, end).end(of: try date(now), in: try zone("Europe/Berlin"))
        #expect(try found == expected.map { try date($0) })
    }

    @Test("Two nights are one in a zone that has skipped a day")
    func skippedDay() throws {
        // Samoa had no 30 December 2011: its clocks jumped from midnight to midnight at 10:00 UTC.
        let found = try window("22:00", "07:00").end(of: try date("2011-12-30T09:00:00Z"), in: try zone("Pacific/Apia"))
        #expect(try found == date("2011-12-30T17:00:00Z"))
    }

    /// Every quarter of an hour of two years, by what a clock on the wall shows.
    @Test(
        "Whenever clocks show a time of the window it is in force, and only around a change of them at any other",
        arguments: ["Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Asia/Kathmandu"]
    )
    func agreesWithTheWall(_ name: String) throws {
        let zone = try zone(name)
        let start = try date("2025-01-01T00:00:00Z")
        let end = try date("2027-01-01T00:00:00Z")
        for window in [try window("22:00", "07:00"), try window("01:30", "02:30"), try window("00:00", "23:45")] {
            var instant = start
            while instant < end {
                defer { instant += 900 }
                let local = Int(instant.timeIntervalSince1970) + zone.secondsFromGMT(for: instant)
                let time = local % 86_400
                let isShown =
                    window.start < window.end
                    ? window.start <= time && time < window.end : time >= window.start || time < window.end
                let end = window.end(of: instant, in: zone)
                if isShown {
                    #expect(end != nil, "\(instant)")
                } else if end != nil {
                    let changes = [-7200.0, 7200].map { zone.secondsFromGMT(for: instant + $0) }
                    #expect(changes[0] != changes[1], "\(instant)")
                }
                if let end { #expect(end > instant) }
            }
        }
    }
}
