/// What the system does with an app at a moment.
public enum AppCondition: String, Hashable, Sendable {
    /// Never opened, or ended by the system: a push may start it in the background.
    case notRunning
    /// A person swiped it away: no push starts it until it is opened again.
    case forceQuit
    /// In front.
    case active
    /// Running or suspended behind others.
    case background
}
