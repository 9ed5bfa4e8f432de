/// The way in which a notification reached the user.
public enum Presentation: String, Hashable, Sendable, Codable {
    /// As a banner on top of the screen.
    case banner
    /// On the lock screen.
    case lockScreen
    /// In the notification centre.
    case list
    /// By its sound.
    case sound
    /// By the number on the app's icon.
    case badge
    /// In the car.
    case carPlay
    /// Shown by the app itself, instead of a notification that the user has disabled.
    case inApp
    /// It started a Live Activity.
    case activityStarted
    /// It changed a Live Activity.
    case activityUpdated
    /// It ended a Live Activity.
    case activityEnded
    /// The device rang: the app reported a call to CallKit.
    case call
    /// The device rang: the app reported a conversation to LiveCommunicationKit.
    case conversation
    /// It reloaded the app's widgets.
    case widgets
}
