import ArgumentParser
import Foundation
import PushClock
import PushModel

struct When: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "when",
        abstract: "Prints when a local notification's trigger fires.",
        discussion: """
            Components are those of DateComponents: era, year, quarter, month, weekOfYear, weekOfMonth, yearForWeekOfYear, \
            day, weekday (1 is Sunday), weekdayOrdinal, hour, minute, second. Components finer than the finest given one are \
            at their start; coarser ones match anything.

            posthorn when 'weekday=2 hour=8' --repeats --zone America/New_York
            posthorn when interval=3600 --repeats
            """
    )

    /// The most firings that are printed: an assistant's call is answered before its next one.
    static let limit = 1000

    @Argument(help: "Date components such as 'weekday=2 hour=8', or interval=SECONDS.") var trigger: [String]
    @Flag(help: "Repeat the trigger.") var repeats = false
    @Option(help: "Maximum number of firings to print, up to \(Self.limit).") var count = 5
    @Option(help: "The device's time zone, such as Europe/Berlin; this machine's if not given.") var zone: String?

    @Option(
        help: "Time it is added: 2026-03-01, 2026-03-01T08:00 (in the zone), 2026-03-01T08:00:00Z; now if not given."
    )
    var from: String?

    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let zone = try readZone()
        let start = try readStart(in: zone)
        try require(
            (1...Self.limit).contains(count),
            "'--count' is '\(count)'; expected a number from 1 to \(Self.limit)."
        )
        let firings: [Date]
        var advice: [String] = []
        switch try readTrigger() {
        case .calendar(let components):
            let rule = CalendarRule(components, in: zone)
            firings = Array(rule.firings(after: start).prefix(repeats ? count : 1))
            advice = rule.advice(after: start, repeats: repeats).map(\.description)
        case .interval(let interval):
            firings = Array(Self.firings(of: interval, addedAt: start).prefix(count))
        }
        if json {
            printFirings(firings, advice: advice, start: start, zone: zone)
        } else {
            printText(firings, advice: advice, zone: zone)
        }
        if firings.isEmpty { throw ExitCode.failure }
    }

    private static func firings(of interval: RepeatingInterval, addedAt start: Date) -> some Sequence<Date> {
        sequence(first: start) { interval.next(after: $0, added: start) }.dropFirst()
    }

    // MARK: Reading

    private func readTrigger() throws -> TriggerText {
        do {
            return try TriggerText(parsing: trigger.joined(separator: " "), repeats: repeats)
        } catch {
            throw ValidationError(error.description)
        }
    }

    private func readZone() throws -> TimeZone {
        guard let zone else { return .current }
        guard let found = TimeZone(iana: zone) else {
            let expected = TimeZone.expectedName(insteadOf: zone, such: "Europe/Berlin")
            throw ValidationError("'--zone' is '\(zone)'; expected \(expected).")
        }
        return found
    }

    private func readStart(in zone: TimeZone) throws -> Date {
        guard let from else { return SystemClock().date }
        let day = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
        let local = day.dateTimeSeparator(.standard).time(includingFractionalSeconds: false)
        if let date = try? Date(from, strategy: .iso8601) { return date }
        if from.contains("T") {
            let whole = from.split(separator: ":").count == 2 ? from + ":00" : from
            if let date = try? Date(whole, strategy: local) { return date }
        } else if let date = try? Date(from, strategy: day) {
            return date
        }
        throw ValidationError("'--from' is '\(from)'; expected a date such as 2026-03-01, or 2026-03-01T08:00:00Z.")
    }

    // MARK: Printing

    private func printText(_ firings: [Date], advice: [String], zone: TimeZone) {
        for firing in firings { printLine("\(Self.weekday(of: firing, in: zone))  \(firing.text(in: zone))") }
        if firings.isEmpty { printLine("never") }
        for sentence in advice { printNote("warning: \(sentence)") }
    }

    private func printFirings(_ firings: [Date], advice: [String], start: Date, zone: TimeZone) {
        printJSON([
            "from": start.text(in: zone), "zone": zone.identifier, "repeats": repeats,
            "firings": firings.map { $0.text(in: zone) }, "warnings": advice,
        ])
    }

    private static func weekday(of date: Date, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][calendar.component(.weekday, from: date) - 1]
    }
}
