package import Foundation

extension TimeZone {
    /// UTC+8, the time zone of the hosted service.
    package static let china = TimeZone(secondsFromGMT: 8 * 3600) ?? .gmt
}

extension Date {
    /// Formats the date as `2026-01-02`.
    func day(in zone: TimeZone) -> String {
        Date.ISO8601FormatStyle(dateSeparator: .dash, timeZone: zone).year().month().day().format(self)
    }

    /// Formats the time as `2026-01-02 03:04:05`.
    func time(in zone: TimeZone) -> String {
        Date.ISO8601FormatStyle(dateSeparator: .dash, dateTimeSeparator: .space, timeSeparator: .colon, timeZone: zone)
            .year().month().day().time(includingFractionalSeconds: false).format(self)
    }
}
