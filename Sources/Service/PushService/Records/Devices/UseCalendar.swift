package import Foundation
package import PushModel

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
