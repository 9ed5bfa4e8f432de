/// The `message` of a push, or its in-app message.
///
/// A custom message goes to the app over the SDK link and is not displayed.
public struct CustomMessage: Hashable, Sendable {
    /// `msg_content`.
    public var content: String
    public var title: String?
    public var contentType: String?
    public var extras: JSONObject?
    /// Whether it is an in-app message: a notification that the app shows itself if the user has disabled notifications.
    public var isInApp: Bool

    public init(
        content: String,
        title: String? = nil,
        contentType: String? = nil,
        extras: JSONObject? = nil,
        isInApp: Bool = false
    ) {
        self.content = content
        self.title = title
        self.contentType = contentType
        self.extras = extras
        self.isInApp = isInApp
    }
}
