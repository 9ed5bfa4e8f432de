/// The `message` of a push: goes to the app over the SDK's own link, and is shown by nobody.
public struct CustomMessage: Hashable, Sendable {
    /// `msg_content`.
    public var content: String
    public var title: String?
    public var contentType: String?
    public var extras: JSONObject?

    public init(content: String, title: String? = nil, contentType: String? = nil, extras: JSONObject? = nil) {
        self.content = content
        self.title = title
        self.contentType = contentType
        self.extras = extras
    }
}
