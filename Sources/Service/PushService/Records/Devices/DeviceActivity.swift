import Foundation
import PushModel

/// The rule by which a device counts as active: it was seen in the last 255 days. A device seen at any time of a day counts for the whole day.
enum DeviceActivity {
    /// Returns the day of a date, counted from 1970.
    static func day(of date: Date) -> Int64 { Int64(date.timeIntervalSince1970 / 86_400) }

    /// Returns the oldest last-seen time that still counts on a day, in seconds since 1970.
    static func oldestSign(onDay day: Int64) -> UInt32 {
        UInt32(clamping: (day - Int64(JPushLimits.inactiveDays)) * 86_400)
    }

    /// Returns the date since when a device has been seen that is active at a date.
    static func since(_ date: Date) -> Date {
        Date(timeIntervalSince1970: TimeInterval(oldestSign(onDay: day(of: date))))
    }
}
