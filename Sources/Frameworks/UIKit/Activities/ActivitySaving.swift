import UserNotifications

extension SceneCall {
    /// Saves the activities of the app's responders that need it.
    ///
    /// Source: Apple, `UIResponder.updateUserActivityState(_:)` and `NSUserActivity.needsSave`. Apple does not document when UIKit
    /// saves: here it does before the app leaves the foreground.
    func saveActivities() {
        for owner in slot.activityOwners.compactMap(\.value) {
            guard let activity = owner.userActivity, activity.needsSave else { continue }
            activity.needsSave = false
            owner.updateUserActivityState(activity)
            activity.delegate?.userActivityWillSave(activity)
            if slot.scene != nil {
                tell("scene(_:didUpdate:)") { $0.scene($1, didUpdate: activity) }
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
