import Foundation
import PushModel
import SystemPort

// Significant changes of the time. Source: Apple, `applicationSignificantTimeChange(_:)`, read November 2026: the arrival of
// midnight, a correction by the carrier, the change to and from daylight saving time. An app that is suspended is told when it
// returns to the foreground, once for several changes.
//
// A change of the time zone counts too: Apple's "Processing Queued Notifications" does not say so, and the time on the wall jumps
// as it does for daylight saving time. Apps in the background count as suspended.

/// The day and the zone on the wall; two that differ are a significant change apart.
struct WallTime: Hashable, Sendable {
    var day: Int
    var offset: Int
    var zone: String
    var corrections: Int
}

extension DeviceState {
    private static let dayLength = 86_400.0
    /// Dates are doubles, and an alarm may ring a little early by them.
    private static let tolerance = 0.001

    var wallTime: WallTime {
        let offset = timeZone.secondsFromGMT(for: date)
        let seconds = date.timeIntervalSince1970 + Double(offset) + Self.tolerance
        let day = Int((seconds / Self.dayLength).rounded(.down))
        return WallTime(day: day, offset: offset, zone: timeZone.identifier, corrections: timeCorrections)
    }

    /// Tells a running app about a change since it was told last.
    mutating func tellTime(_ bundleID: String, _ state: AppState) {
        let now = wallTime
        if apps[bundleID]?.run.learn(now) == true { send(.significantTimeChange, state, to: bundleID) }
    }

    /// Tells the app in the foreground; the others are told when they get there.
    mutating func timeChanged() {
        if let front = springboard.front { tellTime(front, appState(of: front)) }
        planTimeChange()
    }

    /// Sets the alarm for the next change, as long as an app is in the foreground.
    mutating func planTimeChange() {
        guard springboard.front != nil else { return add(.cancel(.timeChange)) }
        let wall = wallTime
        let midnight = Double(wall.day + 1) * Self.dayLength - Double(wall.offset)
        let change = timeZone.nextDaylightSavingTimeTransition(after: date)?.timeIntervalSince1970 ?? .infinity
        let rest = min(midnight, change) - date.timeIntervalSince1970
        add(.alarm(.timeChange, .seconds(max(0, rest))))
    }
}
