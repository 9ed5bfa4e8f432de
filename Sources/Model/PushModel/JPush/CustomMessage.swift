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
}

/// An in-app message whose texts have variables, compiled once for all devices.
package struct FillableMessage: Sendable {
    private let message: CustomMessage
    private let content: AttributeTemplate
    private let title: AttributeTemplate?
    private let columns: [[UInt8]]

    package init(_ message: CustomMessage) {
        var columns: [[UInt8]] = []
        self.message = message
        content = AttributeTemplate(text: message.content, columns: &columns)
        title = message.title.map { AttributeTemplate(text: $0, columns: &columns) }
        self.columns = columns
    }

    /// Returns the message for the device at a place with its values, or with the defaults if its texts would be longer than a payload.
    package func filled(with values: inout AttributeValues, at place: Int) -> CustomMessage {
        guard values.select(place, columns: columns) else { return filled(with: nil) }
        let filled = filled(with: values)
        let bytes = filled.content.utf8.count + (filled.title?.utf8.count ?? 0)
        return bytes <= APNSPushType.alert.payloadLimit ? filled : self.filled(with: nil)
    }

    private func filled(with values: AttributeValues?) -> CustomMessage {
        var filled = message
        filled.content = content.text(with: values) ?? message.content
        if let title { filled.title = title.text(with: values) ?? message.title }
        return filled
    }
}
