public import PushModel

/// A custom message (`message` of a push), or an in-app message (`inapp_message`).
public struct SDKMessage: Hashable, Sendable {
    /// Its position among all custom messages of the app: later ones have greater numbers.
    public var position: Int64
    /// The `msg_id` of the push.
    public var messageID: Int64
    /// `msg_content`.
    public var content: String
    /// `title`; nil if the message has none.
    public var title: String?
    /// `content_type`; nil if the message has none.
    public var contentType: String?
    /// `extras`; nil if the message has none.
    public var extras: JSONObject?
    /// Whether this is a notification that the app shows itself while notifications are disabled. Its content may be
    /// empty.
    public var isInApp: Bool

    /// Creates a message from its parts.
    public init(
        position: Int64,
        messageID: Int64,
        content: String,
        title: String? = nil,
        contentType: String? = nil,
        extras: JSONObject? = nil,
        isInApp: Bool = false
    ) {
        self.position = position
        self.messageID = messageID
        self.content = content
        self.title = title
        self.contentType = contentType
        self.extras = extras
        self.isInApp = isInApp
    }
}
