package import Foundation

extension Date.VerbatimFormatStyle {
    /// The form of dates in HTTP header fields: `Tue, 24 Nov 2026 08:00:00 GMT` (RFC 9110, section 5.6.7).
    package static let http = Self(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )
}
