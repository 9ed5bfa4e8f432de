/// The reason, apart from a notification, for which an app comes to the foreground or is asked to act there.
public enum OpenedItem: Hashable, Sendable, Codable {
    /// A URL with a scheme or domain of the app.
    case url(OpenedURL)
    /// An activity to continue.
    case activity(ActivityRecord)
    /// A quick action.
    case shortcut(ShortcutRecord)
}

/// A URL that an app is asked to open.
public struct OpenedURL: Hashable, Sendable, Codable {
    /// The URL as text.
    public var url: String
    /// The bundle id of the app that asks; nil for the user, and for an app that is not disclosed.
    public var sourceApplication: String?

    /// Creates a request to open a URL.
    public init(_ url: String, sourceApplication: String? = nil) {
        self.url = url
        self.sourceApplication = sourceApplication
    }
}
