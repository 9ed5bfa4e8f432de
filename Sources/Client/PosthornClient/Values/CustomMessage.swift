import Foundation

/// A custom message: the `message` of a push, which the system never shows.
public struct CustomMessage: Hashable, Sendable {
    /// The push's msg_id.
    public var id: Int64
    /// The place among all messages; later messages have greater ones.
    public var position: Int64
    /// The text.
    public var content: String
    /// The title, if the push has one.
    public var title: String?
    /// The content type, if the push has one.
    public var contentType: String?
    /// The extras as a JSON object; nil if the push has none.
    public var extrasJSON: Data?
    /// Whether it is an in-app message: the notification of a push, for an app whose notifications the user has switched off.
    public var isInApp: Bool

    /// Creates a message.
    public init(
        id: Int64,
        position: Int64,
        content: String,
        title: String? = nil,
        contentType: String? = nil,
        extrasJSON: Data? = nil,
        isInApp: Bool = false
    ) {
        self.id = id
        self.position = position
        self.content = content
        self.title = title
        self.contentType = contentType
        self.extrasJSON = extrasJSON
        self.isInApp = isInApp
    }

    /// The extras; empty if the push has none.
    public var extras: [String: Any] {
        guard let extrasJSON else { return [:] }
        return (try? JSONSerialization.jsonObject(with: extrasJSON)) as? [String: Any] ?? [:]
    }

    /// Reads a message of the service, from an answer or from a frame of the link; nil if its content, id or position is missing.
    init?(_ object: [String: Any]) {
        guard let content = object["content"] as? String, let id = Self.integer(object["msg_id"] ?? object["id"]),
            let position = Self.integer(object["position"])
        else { return nil }
        self.init(
            id: id,
            position: position,
            content: content,
            title: object["title"] as? String,
            contentType: (object["content_type"] ?? object["content-type"]) as? String,
            extrasJSON: (object["extras"] as? [String: Any]).flatMap {
                try? JSONSerialization.data(withJSONObject: $0)
            },
            isInApp: object["in_app"] as? Bool ?? (object["type"] as? String == "in-app-message")
        )
    }

    /// Reads a 64-bit integer, which is text or a number.
    static func integer(_ value: Any?) -> Int64? {
        if let text = value as? String { return Int64(text) }
        return (value as? NSNumber)?.int64Value
    }
}
