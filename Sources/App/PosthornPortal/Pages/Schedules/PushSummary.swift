import PushModel

/// A push in a line: its text and its audience.
struct PushSummary {
    /// The title or text of the notification, or the text of the custom message; nil if it shows nothing.
    let text: String?
    /// The audience as `key` and `values`; empty for a push to all.
    let audience: [(key: String, values: [String])]

    /// `push`: a push object of the API.
    init(_ push: JSONValue?) {
        let push = push?.object
        text = Self.text(push)
        let audience = push?["audience"]?.object?.members ?? []
        self.audience = audience.compactMap { part in
            let values = part.value.array?.map { $0.string ?? $0.text } ?? [part.value.text]
            return values.isEmpty ? nil : (part.key, values)
        }
    }

    private static func text(_ push: JSONObject?) -> String? {
        let notification = push?["notification"]?.object
        let alert = notification?["ios"]?.object?["alert"] ?? notification?["alert"]
        let shown = [alert?.string, alert?.object?["title"]?.string, alert?.object?["body"]?.string]
        return shown.lazy.compactMap { $0 }.first { !$0.isEmpty } ?? push?["message"]?.object?["msg_content"]?.string
    }

    var json: JSONObject {
        let parts = audience.map { part -> JSONValue in ["key": .string(part.key), "values": .strings(part.values)] }
        return ["text": .orNull(text), "is_to_all": .bool(audience.isEmpty), "audience": .array(parts)]
    }
}
