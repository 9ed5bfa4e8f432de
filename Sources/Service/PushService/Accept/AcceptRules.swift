package import Foundation

/// What an operator sets about the pushes that are taken.
package struct AcceptRules: Hashable, Sendable {
    /// Pushes to `"all"` that an app may make in a day; nil for any number.
    ///
    /// Source: JPush REST API v3, "Push API", "Audience": ten on the hosted service.
    package var broadcastsPerDay: Int?
    /// In which a day begins.
    package var zone: TimeZone

    package init(broadcastsPerDay: Int? = nil, zone: TimeZone = .gmt) {
        self.broadcastsPerDay = broadcastsPerDay
        self.zone = zone
    }

    /// The day of a moment, counted from 1970.
    func day(of date: Date) -> Int {
        let seconds = date.timeIntervalSince1970 + TimeInterval(zone.secondsFromGMT(for: date))
        return Int((seconds / 86_400).rounded(.down))
    }
}
