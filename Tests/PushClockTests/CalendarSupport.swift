import Foundation
import PushClock
import Testing

func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

/// A date as `2026-03-02T08:00:00Z`.
func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

/// As a clock in `zone` shows it: `2026-03-02T08:00:00-05:00`.
func text(_ date: Date?, in zone: TimeZone) -> String {
    guard let date else { return "never" }
    let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false)
        .timeZone(separator: .colon)
    return style.format(date)
}

/// The first firings of a rule, as clocks in its zone show them.
func firings(
    _ components: DateComponents,
    in zoneName: String = "UTC",
    after start: String,
    count: Int = 3
) throws -> [String] {
    let zone = try zone(zoneName)
    let rule = CalendarRule(components, in: zone)
    return try rule.firings(after: date(start)).prefix(count).map { text($0, in: zone) }
}

/// Returns Foundation's answer.
func foundationNext(_ components: DateComponents, after date: Date, in zone: TimeZone) -> Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    calendar.firstWeekday = 1
    calendar.minimumDaysInFirstWeek = 1
    return calendar.nextDate(after: date, matching: components, matchingPolicy: .nextTime, repeatedTimePolicy: .first)
}

/// A run of numbers that is the same each time.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 7_919 &+ 13 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
