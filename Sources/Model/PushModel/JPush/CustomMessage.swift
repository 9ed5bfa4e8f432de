/// The `message` of a push, or its in-app message.
///
/// A custom message goes to the app over the SDK link and is not displayed.
package struct CustomMessage: Hashable, Sendable {
    /// `msg_content`.
    package var content: String
    package var title: String?
    package var contentType: String?
    package var extras: JSONObject?
    /// Whether it is an in-app message: a notification that the app shows itself if the user has disabled notifications.
    package var isInApp: Bool

    package init(
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
