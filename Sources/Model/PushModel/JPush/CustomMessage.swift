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

    /// Whether the texts may have variables, which those of an in-app message have as its notification.
    package var mayHaveVariables: Bool {
        [content, title ?? ""].contains { PushWarning.mayConcern(Array($0.utf8)[...]) }
    }

    /// Returns the message with the values of its variables, or with their defaults if its texts would be longer than a payload.
    package func filled(with values: [String: String]) -> CustomMessage {
        var message = self
        message.content = PayloadVariable.text(content, with: values)
        message.title = title.map { PayloadVariable.text($0, with: values) }
        let bytes = message.content.utf8.count + (message.title?.utf8.count ?? 0)
        return bytes <= APNSPushType.alert.payloadLimit || values.isEmpty ? message : filled(with: [:])
    }
}
