package import Foundation
package import PushModel

/// The statistics on an app's devices in a period.
package enum UseMeasure: String, Hashable, Sendable, CaseIterable {
    /// Registered for the first time.
    case new
    /// Had a link to the service.
    case online
    /// Registered or logged in, which an app does when it starts or comes to the foreground (our reading of "active").
    case active
}

/// The users of an app by period, as the API shows them.
package struct UsersAnswer: Codable, Sendable {
    package struct Item: Codable, Sendable {
        package let time: String
        /// The counts; nil if there are none.
        package let ios: Counts?
    }

    package struct Counts: Codable, Sendable {
        package let new: Int
        package let online: Int
        package let active: Int
    }

    package let timeUnit: ReportUnit
    package let start: String
    package let duration: Int
    package let items: [Item]

    package init(_ query: UsersQuery, _ uses: [String: [UseMeasure: Int]]) {
        timeUnit = query.unit
        start = query.start
        duration = query.duration
        items = query.times.map { time in
            let counts = uses[time].flatMap { $0.isEmpty ? nil : $0 }
            return Item(
                time: time,
                ios: counts.map { Counts(new: $0[.new] ?? 0, online: $0[.online] ?? 0, active: $0[.active] ?? 0) }
            )
        }
    }
}

/// A note that devices were active, stored together with the change that shows it.
package struct UseNote: Hashable, Sendable {
    package var measures: [UseMeasure]
    /// The current periods by name.
    package var times: [ReportUnit: String]

    package init(measures: [UseMeasure], times: [ReportUnit: String]) {
        self.measures = measures
        self.times = times
    }
}

/// Names the periods in reports on users: by hour, day and month in the service's zone.
///
/// An hour that the clocks show twice is one. A change of the zone applies to later events.
package struct UseCalendar: Sendable {
    private let zone: TimeZone

    package init(zone: TimeZone) { self.zone = zone }

    package func times(at date: Date) -> [ReportUnit: String] {
        let day = Date.ISO8601FormatStyle(dateSeparator: .dash, timeZone: zone).year().month().day().format(date)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let hour = calendar.component(.hour, from: date)
        return [.hour: "\(day) \(hour < 10 ? "0" : "")\(hour)", .day: day, .month: String(day.prefix(7))]
    }

    /// Returns the day of a date, counted from 1970.
    func day(of date: Date) -> Int {
        let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        return Int((seconds / 86_400).rounded(.down))
    }

    package func note(_ measures: [UseMeasure], at date: Date) -> UseNote {
        UseNote(measures: measures, times: times(at: date))
    }

    /// Returns when the next hour begins.
    func nextHour(after date: Date) -> Date {
        // UTC offsets are a whole number of minutes.
        let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        return date.addingTimeInterval(3600 - seconds.truncatingRemainder(dividingBy: 3600))
    }
}
