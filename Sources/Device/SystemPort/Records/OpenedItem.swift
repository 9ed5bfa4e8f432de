/// The reason, apart from a notification, for which an app comes to the foreground or is asked to act there.
public enum OpenedItem: Hashable, Sendable, Codable {
    /// A URL with a scheme or domain of the app.
    case url(OpenedURL)
    /// An activity to continue.
    case activity(ActivityRecord)
    /// A quick action.
    case shortcut(ShortcutRecord)
}
