import Foundation

/// The time on the device's clock, and the time on the wall that it stands for.
struct DeviceTime: Sendable {
    private static let dayLength = 86_400.0
    /// Dates are doubles, and an alarm may ring a little early by them.
    static let tolerance = 0.001

    var date: Date
    var zone = TimeZone.gmt
    /// How often the carrier has corrected the time.
    var corrections = 0

    init(_ date: Date) { self.date = date }

    var wall: WallTime {
        let offset = zone.secondsFromGMT(for: date)
        let seconds = date.timeIntervalSince1970 + Double(offset) + Self.tolerance
        let day = Int((seconds / Self.dayLength).rounded(.down))
        return WallTime(day: day, offset: offset, zone: zone.identifier, corrections: corrections)
    }

    /// The time until the next significant change: midnight, or a change to or from daylight saving time.
    var untilChange: TimeInterval {
        let wall = wall
        let midnight = Double(wall.day + 1) * Self.dayLength - Double(wall.offset)
        let change = zone.nextDaylightSavingTimeTransition(after: date)?.timeIntervalSince1970 ?? .infinity
        return max(0, min(midnight, change) - date.timeIntervalSince1970)
    }
}

/// The day and the zone on the wall; two that differ are a significant change apart.
struct WallTime: Hashable, Sendable {
    var day: Int
    var offset: Int
    var zone: String
    var corrections: Int
}
