/// The state of an app at an event, as in `UIApplication.State`.
public enum AppState: String, Hashable, Sendable, Codable {
    /// In the foreground, and receiving touches.
    case active
    /// In the foreground, but interrupted: behind a prompt, or on the way to another state.
    case inactive
    /// Running without being on the screen.
    case background
}
