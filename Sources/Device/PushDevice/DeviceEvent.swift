public import Foundation
public import PushModel

/// Something that happened on a device, for who tells its story.
public struct DeviceEvent: Hashable, Sendable {
    public var date: Date
    /// The app concerned, by bundle id; nil for the device itself.
    public var app: String?
    public var kind: Kind

    public enum Kind: Hashable, Sendable {
        case connected
        case disconnected(reason: String)
        case promptShown(PermissionPrompt)
        case promptAnswered(allowed: Bool)
        case tokenReceived(DeviceToken, APNSEnvironment)
        case conditionChanged(AppCondition)
        /// The app's process stands still, until something comes for it.
        case suspended
        /// A process of the app, or of an extension of it, ended by itself; how, for a person.
        case processEnded(reason: String)
        /// A push arrived for the app; the payload has been read.
        case pushArrived(apnsID: String)
        case bannerShown(ShownNotification)
        case bannerHidden
        /// An app shows something above its page.
        case inAppShown(ShownInApp)
        case inAppHidden
        case listed(ShownNotification)
        /// The name of the file; nil for the system's own sound.
        case soundPlayed(name: String?)
        case badgeChanged(Int)
        /// A method of the app ran: life cycle, token, notifications. The notification is
        /// named where there is one.
        case callback(name: String, state: AppState, id: String?)
        case tapped(id: String)
        /// The person chose a button.
        case acted(id: String, action: String)
        /// The device is another: locked, moved, in a Focus; in a word or two.
        case changed(String)
        case dismissed(id: String)
    }
}
