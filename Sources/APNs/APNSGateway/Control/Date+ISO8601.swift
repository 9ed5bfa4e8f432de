import Foundation

extension Date {
    /// With milliseconds, in UTC, as journeys write it.
    var iso8601: String { formatted(Self.style) }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
