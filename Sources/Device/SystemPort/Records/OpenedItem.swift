/// The reason, apart from a notification, for which an app comes to the foreground or is asked to act there.
public enum OpenedItem: Hashable, Sendable, Codable {
    case url(OpenedURL)
    case activity(ActivityRecord)
    case shortcut(ShortcutRecord)
}
