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

/// An activity of the user that an app is to continue: a universal link, or what the user began on another device.
public struct ActivityRecord: Hashable, Sendable, Codable {
    /// The type of a universal link.
    public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

    /// The type, such as ``browsingWeb`` or one from the app's `NSUserActivityTypes`.
    public var type: String
    /// The title that the user sees.
    public var title: String?
    /// The web page, as text.
    public var webpageURL: String?
    /// The state of the activity: a dictionary.
    public var userInfo: InfoValue?

    /// Creates an activity; members that are not given are absent.
    public init(type: String, title: String? = nil, webpageURL: String? = nil, userInfo: InfoValue? = nil) {
        self.type = type
        self.title = title
        self.webpageURL = webpageURL
        self.userInfo = userInfo
    }
}

/// A quick action of an app's icon.
public struct ShortcutRecord: Hashable, Sendable, Codable {
    /// The icon of a quick action.
    public enum Icon: Hashable, Sendable, Codable {
        /// One of the system's, as `UIApplicationShortcutIcon.IconType`.
        case system(Int)
        /// An image of the app.
        case template(String)
        /// A symbol of the system.
        case symbol(String)
    }

    /// The type, by which the app recognises it.
    public var type: String
    /// The title.
    public var title: String
    /// The second line.
    public var subtitle: String?
    /// The icon; nil for none.
    public var icon: Icon?
    /// Data for the app: a dictionary.
    public var userInfo: InfoValue?
    /// The identifier by which the app chooses a scene.
    public var targetContentIdentifier: String?

    /// Creates a quick action; the other members are absent.
    public init(type: String, title: String) {
        self.type = type
        self.title = title
    }
}
