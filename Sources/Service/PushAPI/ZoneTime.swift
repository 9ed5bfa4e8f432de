package import Foundation

extension TimeZone {
    /// UTC+8, on which the hosted service runs.
    package static let china = TimeZone(secondsFromGMT: 8 * 3600) ?? .gmt
}

extension Date {
    /// `2026-01-02`.
    func day(in zone: TimeZone) -> String {
        Date.ISO8601FormatStyle(dateSeparator: .dash, timeZone: zone).year().month().day().format(self)
    }

    /// `2026-01-02 03:04:05`.
    func time(in zone: TimeZone) -> String {
        Date.ISO8601FormatStyle(
            dateSeparator: .dash,
            dateTimeSeparator: .space,
            timeSeparator: .colon,
            timeZone: zone
        )
        .year().month().day().time(includingFractionalSeconds: false).format(self)
    }
}
