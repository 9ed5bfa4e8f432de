package import Foundation
package import PushModel

/// What is counted of an app's devices in a time.
package enum UseMeasure: String, Hashable, Sendable, CaseIterable {
    /// Registered for the first time.
    case new
    /// Had a link to the service.
    case online
    /// Registered or logged in, which an app does when it is started or comes to the front (our reading of "active").
    case active
}

/// That devices were there, to be kept together with what they did.
package struct UseNote: Hashable, Sendable {
    package var measures: [UseMeasure]
    /// The times that go on, by their names.
    package var times: [ReportUnit: String]

    package init(measures: [UseMeasure], times: [ReportUnit: String]) {
        self.measures = measures
        self.times = times
    }
}

/// How the time of an event is called in reports on users: in the service's zone, by hour, day and month.
///
/// An hour that the clocks show twice is one. A zone that is changed holds for what comes.
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

    /// Counted from 1970.
    func day(of date: Date) -> Int {
        let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        return Int((seconds / 86_400).rounded(.down))
    }

    package func note(_ measures: [UseMeasure], at date: Date) -> UseNote {
        UseNote(measures: measures, times: times(at: date))
    }

    /// When the next hour begins.
    func nextHour(after date: Date) -> Date {
        // Zones are a whole number of minutes away from Greenwich.
        let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        return date.addingTimeInterval(3600 - seconds.truncatingRemainder(dividingBy: 3600))
    }
}
