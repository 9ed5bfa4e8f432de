/// The `message` of a push: goes to the app over the SDK's own link, and is shown by nobody. Or its in-app message.
public struct CustomMessage: Hashable, Sendable {
    /// `msg_content`.
    public var content: String
    public var title: String?
    public var contentType: String?
    public var extras: JSONObject?
    /// It is a notification that the app shows itself where the person has switched notifications off.
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
