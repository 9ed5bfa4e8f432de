/// The state of an app as the system manages it.
public enum AppCondition: String, Hashable, Sendable {
    /// Never opened, or ended by the system: a push may start it in the background.
    case notRunning
    /// The user swiped it away: no push starts it until it is opened again.
    case forceQuit
    /// In the foreground.
    case active
    /// In the background, running or suspended.
    case background
}
