import SystemPort

/// The front of the screen: the app in the foreground, the banner, and the lock.
struct Springboard: Sendable {
    /// The app in the foreground; nil for the home screen.
    var front: String?
    /// The notification on the banner.
    var banner: ShownNotification?
    private(set) var isLocked = false
    /// The app that was in the foreground when the device was locked.
    private var lockedFront: String?
    /// The action that waits until the device is unlocked.
    var heldAct: HeldAct?

    /// Shows the home screen in place of an app. Returns whether the app was in the foreground.
    mutating func leave(_ bundleID: String) -> Bool {
        guard front == bundleID else { return false }
        front = nil
        return true
    }

    // MARK: The lock

    /// Locks the device; `front` was the app in the foreground.
    mutating func lock(over front: String?) {
        isLocked = true
        lockedFront = front
    }

    /// Unlocks the device. Returns the action that waited for it, and the app that was in the foreground.
    mutating func unlock() -> (act: HeldAct?, front: String?) {
        isLocked = false
        return (heldAct.take(), lockedFront.take())
    }

    /// Forgets what waits for the device to be unlocked.
    mutating func forgetHeld() {
        heldAct = nil
        lockedFront = nil
    }
}

/// An action held until the device is unlocked.
struct HeldAct: Sendable {
    var id: String
    var action: String
    var text: String?
    /// The button, if the content extension that set it has closed by then.
    var button: ActionRecord?
}
