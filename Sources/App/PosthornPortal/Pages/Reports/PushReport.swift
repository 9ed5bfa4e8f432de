import Foundation
import PushModel
import PushService

/// The counts of an app's pushes by hour or day.
struct PushReport {
    /// The counts in an hour or a day, or of all.
    struct Row {
        var pushes = 0
        var counts = DeliveryCounts()

        mutating func add(_ counts: DeliveryCounts?) {
            pushes += 1
            self.counts = self.counts + (counts ?? DeliveryCounts())
        }
    }

    let period: ReportPeriod
    private(set) var rows: [Row]
    private(set) var total = Row()
    private let places: [String: Int]

    init(_ period: ReportPeriod) {
        self.period = period
        rows = period.times.map { _ in Row() }
        places = Dictionary(uniqueKeysWithValues: zip(period.times, period.times.indices))
    }

    /// Adds a push.
    ///
    /// - Parameters:
    ///   - time: the hour or the day at which it was accepted.
    ///   - counts: those of its notification; nil for an unknown push.
    mutating func add(at time: String, _ counts: DeliveryCounts?) {
        guard let place = places[time] else { return }
        rows[place].add(counts)
        total.add(counts)
    }
}

/// The period of a report: hours or days from one day through another, in the service's zone.
struct ReportPeriod {
    let unit: ReportUnit
    /// The names of the first and the last day, such as `2026-11-25`.
    let (first, last): (String, String)
    /// The names of the hours or days, in order.
    let times: [String]
    private let zone: TimeZone

    /// The greatest number of days by unit; a chart of hours has a point for each.
    static let longest: [ReportUnit: Int] = [.hour: 7, .day: 60]

    /// Returns nil for invalid dates, dates in the wrong order, or dates too far apart.
    ///
    /// * `first`, `last`: names of days; nil for the last 24 hours or the last fortnight.
    init?(unit: ReportUnit, from first: String?, through last: String?, now: Date, zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let style = Date.ISO8601FormatStyle(dateSeparator: .dash, timeZone: zone).year().month().day()
        func day(_ text: String) -> Date? {
            guard let date = try? style.parse(text), style.format(date) == text else { return nil }
            return date
        }
        let end = last.map(day) ?? calendar.startOfDay(for: now)
        guard let end else { return nil }
        let back = unit == .hour ? 0 : 13
        let start = first.map(day) ?? calendar.date(byAdding: .day, value: -back, to: end)
        guard let start, start <= end, let longest = Self.longest[unit] else { return nil }
        let days = (calendar.dateComponents([.day], from: start, to: end).day ?? 0) + 1
        guard days <= longest else { return nil }
        let names = (0..<days).compactMap { calendar.date(byAdding: .day, value: $0, to: start).map(style.format) }
        let hours = (0..<24).map { $0 < 10 ? "0\($0)" : "\($0)" }
        self.unit = unit
        self.first = style.format(start)
        self.last = style.format(end)
        self.zone = zone
        times = unit == .hour ? names.flatMap { name in hours.map { "\(name) \($0)" } } : names
    }

    /// Returns the name of the hour or day that a date is in.
    func name(of date: Date) -> String { UseCalendar(zone: zone).times(at: date)[unit] ?? "" }
}
