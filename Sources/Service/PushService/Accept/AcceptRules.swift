package import Foundation

/// The operator's settings for accepting pushes.
package struct AcceptRules: Hashable, Sendable {
    /// The number of pushes to `"all"` that an app may send in a day; nil for no limit.
    ///
    /// Source: JPush REST API v3, "Push API", "Audience": ten on the hosted service.
    package var broadcastsPerDay: Int?
    /// The time zone in which days are counted.
    package var zone: TimeZone

    package init(broadcastsPerDay: Int? = nil, zone: TimeZone = .gmt) {
        self.broadcastsPerDay = broadcastsPerDay
        self.zone = zone
    }

    /// Returns the day of a date, counted from 1970.
    func day(of date: Date) -> Int {
        let seconds = date.timeIntervalSince1970 + TimeInterval(zone.secondsFromGMT(for: date))
        return Int((seconds / 86_400).rounded(.down))
    }
}
