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
