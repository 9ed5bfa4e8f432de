import Foundation
import PushClock

/// Compares `CalendarRule` with a loop over `Calendar.nextDate` on the same components, alternating in one process.
///
/// The criterion is the ratio of their times for the whole list: aim 20, bar 10. Exits with 1 below the bar, or if the two do
/// not agree.
@main
struct CalendarFirings {
    static let bar = 10.0
    static let rounds = 7
    static let firings = 150

    static let zones = ["UTC", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata"]
    static let rules: [(String, DateComponents)] = [
        ("daily 08:00", DateComponents(hour: 8)),
        ("daily 02:30", DateComponents(hour: 2, minute: 30)),
        ("hourly :15", DateComponents(minute: 15)),
        ("Monday 08:00", DateComponents(hour: 8, weekday: 2)),
        ("Wednesday 13:00", DateComponents(hour: 13, weekday: 4)),
        ("the 1st, 09:00", DateComponents(day: 1, hour: 9)),
        ("the 31st", DateComponents(day: 31)),
        ("25 December", DateComponents(month: 12, day: 25, hour: 7)),
    ]

    static func main() throws {
        print("\(firings) firings of each rule in \(zones.count) zones, fastest of \(rounds) rounds, time for a firing")
        var total = (ours: Duration.zero, foundation: Duration.zero)
        for (name, components) in rules {
            let (ours, foundation) = try compare(name, components)
            total.ours += ours
            total.foundation += foundation
        }
        print(line("all", total.ours, total.foundation, count: rules.count))
        let ratio = total.foundation / total.ours
        print("ratio \(rounded(ratio)) (aim 20, bar \(rounded(bar)))")
        if ratio < bar { exit(1) }
    }

    private static func compare(_ name: String, _ components: DateComponents) throws -> (Duration, Duration) {
        let start = try Date("2026-01-01T00:00:00Z", strategy: .iso8601)
        var calendars: [Calendar] = []
        for zone in zones.compactMap(TimeZone.init(identifier:)) {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            calendars.append(calendar)
        }
        var best = (ours: Duration.seconds(1_000), foundation: Duration.seconds(1_000))
        for _ in 0..<rounds {
            var found = (ours: 0.0, foundation: 0.0)
            // The rule is created each time, because its creation counts.
            let ours = ContinuousClock().measure {
                for calendar in calendars {
                    for date in CalendarRule(components, in: calendar).firings(after: start).prefix(firings) {
                        found.ours += date.timeIntervalSince1970
                    }
                }
            }
            let foundation = ContinuousClock().measure {
                for calendar in calendars {
                    var last = start
                    for _ in 0..<firings {
                        guard let next = nextDate(components, after: last, in: calendar) else { break }
                        found.foundation += next.timeIntervalSince1970
                        last = next
                    }
                }
            }
            guard found.ours == found.foundation else {
                print("\(name): the two do not agree")
                exit(1)
            }
            best = (min(best.ours, ours), min(best.foundation, foundation))
        }
        print(line(name, best.ours, best.foundation, count: 1))
        return best
    }

    private static func nextDate(_ components: DateComponents, after date: Date, in calendar: Calendar) -> Date? {
        calendar.nextDate(after: date, matching: components, matchingPolicy: .nextTime, repeatedTimePolicy: .first)
    }

    private static func line(_ name: String, _ ours: Duration, _ foundation: Duration, count: Int) -> String {
        let calls = Double(count * zones.count * firings)
        let (ours, foundation) = (ours / .microseconds(1) / calls, foundation / .microseconds(1) / calls)
        return """
            \(name.padding(toLength: 16, withPad: " ", startingAt: 0))  CalendarRule \(rounded(ours, 3)) us  \
            Foundation \(rounded(foundation, 1)) us  \(rounded(foundation / ours)) times
            """
    }

    private static func rounded(_ number: Double, _ digits: Int = 1) -> String {
        String(format: "%.\(digits)f", number)
    }
}
