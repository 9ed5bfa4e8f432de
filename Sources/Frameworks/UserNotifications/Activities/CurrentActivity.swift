import Synchronization
package import SystemPort

/// The current activity of one process of an app.
package final class CurrentActivity: Sendable {
    private let activity = Mutex<Handoff<NSUserActivity>?>(nil)

    package static func of(_ port: any SystemPort) -> CurrentActivity { port.slots.slot { CurrentActivity() } }

    /// The activity; nil for none.
    package var value: NSUserActivity? { activity.withLock { $0 }?.value }

    func set(_ new: NSUserActivity) {
        let new = Handoff(new)
        activity.withLock { $0 = new }
    }

    /// Removes an activity if it is the current one.
    func remove(_ old: NSUserActivity) {
        let old = Handoff(old)
        activity.withLock { if $0?.value === old.value { $0 = nil } }
    }
}
