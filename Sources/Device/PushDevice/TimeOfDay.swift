public import Foundation

/// A time of day in the device's time zone.
public struct TimeOfDay: Hashable, Sendable, Codable {
    /// The hour, 0 to 23.
    public var hour: Int
    /// The minute, 0 to 59.
    public var minute: Int

    /// Creates a time of day.
    public init(hour: Int, minute: Int = 0) {
        self.hour = hour
        self.minute = minute
    }

    /// The components to match in a calendar, at second 0.
    public var components: DateComponents { DateComponents(hour: hour, minute: minute) }
}
