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
