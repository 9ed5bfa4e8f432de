import UserNotifications

/// The saving of the activities that an app's responders have.
///
/// Source: Apple, `UIResponder.updateUserActivityState(_:)` and `NSUserActivity.needsSave`. Apple does not document when UIKit saves:
/// here it does before the app leaves the foreground.
@MainActor
struct ActivitySaving {
    let slot: AppSlot
    let call: AppDelegateCall

    /// Saves the activities that need it.
    func save() {
        for owner in slot.activityOwners.compactMap(\.value) {
            guard let activity = owner.userActivity, activity.needsSave else { continue }
            activity.needsSave = false
            owner.updateUserActivityState(activity)
            activity.delegate?.userActivityWillSave(activity)
            if let scene = slot.scene {
                guard let delegate = scene.delegate else { continue }
                call.call("scene(_:didUpdate:)") { delegate.scene(scene, didUpdate: activity) }
            } else {
                call.call("application(_:didUpdate:)") { call.delegate.application(.shared, didUpdate: activity) }
            }
        }
    }
}

/// A responder that has an activity.
struct ActivityOwner {
    weak var value: UIResponder?
}
