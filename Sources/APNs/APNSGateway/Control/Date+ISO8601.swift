import Foundation

extension Date {
    /// The date with milliseconds, in UTC, in the format of journeys.
    var iso8601: String { formatted(Self.style) }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
