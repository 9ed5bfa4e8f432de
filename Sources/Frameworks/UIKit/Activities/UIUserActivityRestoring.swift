public import UserNotifications

/// An object that continues an activity of the user.
///
/// Source: Apple, `UIUserActivityRestoring`: responders conform to it.
@preconcurrency @MainActor
public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// Restores the state of an activity. UIKit calls it for the objects that the app gives to the `restorationHandler` of
    /// `application(_:continue:restorationHandler:)`.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}
