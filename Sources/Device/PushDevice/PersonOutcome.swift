/// What became of something that a person did to a notification.
public enum PersonOutcome: Hashable, Sendable {
    case done
    /// It happens as soon as the device is unlocked.
    case waitsForUnlock
    /// The notification is not there any more.
    case notThere
    /// Its category has no such button, is not registered, or the button asks for text.
    case noSuchAction
}
