/// The outcome of a notification service extension.
public enum ExtensionOutcome: String, Hashable, Sendable, Codable {
    /// It called its handler in time.
    case ran
    /// Its time ended first, and the notification was shown with what it had by then.
    case timedOut
    /// Its process ended first, and the notification was shown as it came.
    case crashed
}
