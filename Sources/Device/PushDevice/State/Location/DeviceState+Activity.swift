import PushModel
import SystemPort

// Background activities (`CLBackgroundActivitySession`, iOS 17 and later).
//
// Source: Apple, `CLBackgroundActivitySession` and the header of the framework: a session is active for an app that may use the
// location and has the background mode `location`; it begins in the foreground; it continues in the background, even if the app stops
// running; the app then has to begin it again as soon as it runs. While it is active, the app counts as in use.

/// An app's background activity.
struct BackgroundActivity: Sendable {
    /// Whether it makes the app count as in use.
    fileprivate(set) var isActive = false
    /// Whether the process before had one, which this one may continue.
    fileprivate var mayResume = false

    mutating func startProcess() {
        mayResume = isActive
        isActive = false
    }
}

extension DeviceState {
    mutating func startActivity(of bundleID: String) {
        guard let record = apps[bundleID] else { return }
        if let reason = reasonForNoActivity(record) {
            return emitChange("background activity not active: \(reason)", app: bundleID)
        }
        apps[bundleID]?.location.activity.isActive = true
        sendFacts(bundleID)
        planSuspension(of: bundleID)
        guard record.condition != .active else { return }
        // The process before may have missed something.
        sendCurrentLocation(to: bundleID)
        catchUpWithPlaces(bundleID)
    }

    mutating func endActivity(of bundleID: String) {
        apps[bundleID]?.location.activity.isActive = false
        sendFacts(bundleID)
        planSuspension(of: bundleID)
    }

    private func reasonForNoActivity(_ record: AppRecord) -> String? {
        if !mayUseLocation(record.app.bundleID) { return "the app may not use the location" }
        if !record.app.hasBackgroundMode("location") { return "UIBackgroundModes of the Info.plist has no 'location'" }
        // An app that was launched for a location may continue the activity of the process before.
        if record.location.activity.mayResume || record.location.activity.isActive { return nil }
        if record.condition == .active { return nil }
        return "the app is not in the foreground"
    }
}
