import PushModel
import SystemPort

// Quick actions, activities from other devices, and memory warnings.

extension DeviceState {
    /// The number of quick actions that an icon shows. Source: Apple, "Add Home Screen Quick Actions".
    static let shortcutLimit = 4

    /// Returns the quick actions that an app's icon shows: the declared ones first, then those that the app has set.
    ///
    /// Source: Apple, `UIApplicationShortcutItems`: the system shows the static ones first.
    func shortcuts(of bundleID: String) -> [ShortcutRecord] {
        guard profile.major >= 9, let record = apps[bundleID] else { return [] }
        return Array((record.app.declaredShortcuts + record.shortcuts).prefix(Self.shortcutLimit))
    }

    /// Handles a tap on a quick action. The icon is on the home screen, so an app in the foreground leaves it first.
    mutating func chooseShortcut(_ type: String, of bundleID: String) -> Bool {
        guard !springboard.isLocked, let chosen = shortcuts(of: bundleID).first(where: { $0.type == type }) else {
            return false
        }
        background(bundleID)
        emitChange("chose the quick action \(type)", app: bundleID)
        give(.shortcut(chosen), to: bundleID)
        return true
    }

    /// Whether an app continues activities of a type. Source: Apple, `NSUserActivityTypes`, and Handoff, which iOS 8 introduced.
    private func continues(_ type: String, _ bundleID: String) -> Bool {
        guard profile.major >= 8, !springboard.isLocked, let record = apps[bundleID] else { return false }
        return record.app.info["NSUserActivityTypes"]?.array?.contains(.string(type)) ?? false
    }

    /// Handles the user's choice to continue an activity of another device.
    mutating func handOff(_ activity: ActivityRecord, to bundleID: String) -> Bool {
        guard continues(activity.type, bundleID) else { return false }
        emitChange("continued \(activity.type) from another device", app: bundleID)
        give(.activity(activity), to: bundleID)
        return true
    }

    /// Handles the same choice if the activity's data does not arrive.
    mutating func failHandOff(of type: String, to bundleID: String) -> Bool {
        guard continues(type, bundleID) else { return false }
        // Foundation's `NSUserActivityHandoffFailedError`.
        let text = "The data for the user activity was not available."
        let error = SystemError(domain: "NSCocoaErrorDomain", code: 4608, text: text)
        emitChange("could not continue \(type) from another device", app: bundleID)
        if apps[bundleID]?.condition != .active { bringForward(bundleID, opening: nil) }
        send(.activityFailed(type: type, error), to: bundleID)
        return true
    }

    /// Warns the apps whose code runs: a suspended process handles nothing.
    mutating func warnOfMemory() {
        emitChange("memory warning")
        for bundleID in bundleIDs where apps[bundleID]?.suspension.isSuspended == false {
            send(.memoryWarning, to: bundleID)
        }
    }
}
