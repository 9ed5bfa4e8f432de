/// The outcome of a user's action on a notification.
public enum UserActionOutcome: Hashable, Sendable {
    case done
    /// It is performed once the device is unlocked.
    case waitsForUnlock
    /// The notification no longer exists.
    case notThere
    /// Its category has no such button, is not registered, or the button asks for text.
    case noSuchAction
}
