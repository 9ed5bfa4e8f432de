extension PushReader {
    static let messageKeys = [
        "msg_content", "title", "content_type", "extras", "alternate_title", "alternate_content",
    ]

    /// The `message` member; an empty one next to a notification counts as none.
    var messageMember: JSONValue? {
        guard let message = rare["message"] else { return nil }
        if let content = message.object, content.isEmpty, notification != nil { return nil }
        return message
    }

    func message() throws(JPushError) -> CustomMessage? {
        guard let value = messageMember else { return nil }
        guard let members = value.object else { throw wrongKind("message", value, expected: "an object") }
        for key in Self.messageKeys where key != "extras" { _ = try string(key, in: members, at: "message.") }
        let extras: JSONObject?
        switch members["extras"] {
        case nil, .array([]): extras = nil
        case .object(let object): extras = object
        case .some(let other): throw wrongKind("message.extras", other, expected: "an object")
        }
        return CustomMessage(
            content: members["msg_content"]?.string ?? "",
            title: members["title"]?.string,
            contentType: members["content_type"]?.string,
            extras: extras
        )
    }

    func checkMessageSize() throws(JPushError) {
        guard let bytes = messageMember?.byteCount, bytes > JPushLimits.messageBytes else { return }
        throw .tooLarge("'message' has \(bytes) bytes; at most \(JPushLimits.messageBytes) are allowed.")
    }
}
