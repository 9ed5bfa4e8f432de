public import Foundation

/// A time on the clock on the wall, in the zone of the device.
public struct TimeOfDay: Hashable, Sendable {
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int

    public init(hour: Int, minute: Int = 0) {
        self.hour = hour
        self.minute = minute
    }

    /// What a calendar matches, at second 0.
    public var components: DateComponents { DateComponents(hour: hour, minute: minute) }
}
