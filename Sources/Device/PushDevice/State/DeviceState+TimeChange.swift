import PushModel
import SystemPort

// Significant changes of the time. Source: Apple, `applicationSignificantTimeChange(_:)`, read November 2026: the arrival of
// midnight, a correction by the carrier, the change to and from daylight saving time. An app that is suspended is told when it
// returns to the foreground, once for several changes.
//
// A change of the time zone counts too: Apple's "Processing Queued Notifications" does not say so, and the time on the wall jumps
// as it does for daylight saving time. Apps in the background count as suspended.

extension DeviceState {
    /// Tells a running app about a change since it was told last.
    mutating func tellTime(_ bundleID: String, _ state: AppState) {
        if apps[bundleID]?.run.learn(time.wall) == true { send(.significantTimeChange, state, to: bundleID) }
    }

    /// Tells the app in the foreground; the others are told when they get there.
    mutating func timeChanged() {
        if let front = springboard.front { tellTime(front, appState(of: front)) }
        planTimeChange()
    }

    /// Sets the alarm for the next change, as long as an app is in the foreground.
    mutating func planTimeChange() {
        guard springboard.front != nil else { return add(.cancel(.timeChange)) }
        add(.alarm(.timeChange, .seconds(time.untilChange)))
    }

    /// Corrects the time as a carrier does. The clock stays as it is.
    mutating func correctTime() {
        time.corrections += 1
        emitChange("time corrected")
        timeChanged()
    }
}
