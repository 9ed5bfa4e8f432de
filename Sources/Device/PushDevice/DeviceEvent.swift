public import Foundation
public import PushModel

/// An event on a device, for observers.
public struct DeviceEvent: Hashable, Sendable {
    /// The time of the event on the device's clock.
    public var date: Date
    /// The bundle id of the app concerned; nil for the device itself.
    public var app: String?
    /// The event.
    public var kind: Kind

    /// An event on the device, with the app and the notification that it is about.
    public enum Kind: Hashable, Sendable {
        case connected
        case disconnected(reason: String)
        case promptShown(PermissionPrompt)
        case promptAnswered(allowed: Bool)
        case tokenReceived(DeviceToken, APNSEnvironment)
        case conditionChanged(AppCondition)
        /// The app's process is suspended until the next event for it.
        case suspended
        /// A process of the app or of an extension ended by itself, with a human-readable reason.
        case processEnded(reason: String)
        /// A push arrived for the app, and its payload was read.
        case pushArrived(apnsID: String)
        case bannerShown(ShownNotification)
        case bannerHidden
        /// An app shows an in-app view.
        case inAppShown(ShownInApp)
        case inAppHidden
        /// An app's alert is on the screen.
        case alertShown(ShownAlert)
        /// The text or a button of the alert changed.
        case alertChanged
        /// The user wrote this into a field of the alert; the text of a secure field is hidden.
        case alertTextEntered(String)
        case alertButtonTapped(title: String)
        case alertHidden
        /// A Live Activity started, changed or ended.
        case activity(ShownActivity, ActivityChange)
        /// A Live Activity alerts the user, with this text.
        case activityAlerted(ShownActivity, text: String)
        /// A token for Live Activities arrived: for the updates of one, by its id, or for starts of an attributes type, by its name.
        case activityTokenReceived(name: String, DeviceToken)
        case activityTapped(id: String)
        /// A step of a call; the detail says why it ended.
        case call(CallStep, ShownCall, detail: String)
        case listed(ShownNotification)
        /// The name of the sound file; nil for the system's default sound.
        case soundPlayed(name: String?)
        case badgeChanged(Int)
        /// A method of the app ran: life cycle, token or notifications. `id` is that of the notification, if any.
        case callback(name: String, state: AppState, id: String?)
        case tapped(id: String)
        /// The user chose a button.
        case acted(id: String, action: String)
        /// The device's state changed (locked, moved, Focus …), in a few words.
        case changed(String)
        case dismissed(id: String)
        /// A mistake in the app's code that the frameworks have found: a method of a delegate that is never called.
        case warning(String)
    }
}
