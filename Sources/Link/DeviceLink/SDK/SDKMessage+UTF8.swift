package import PushModel

extension SDKMessage {
    /// The frame of a custom or in-app message, as ``SDKFrame/text`` writes it.
    ///
    /// Written once for each device that gets its own message, so it avoids intermediate values.
    package static func utf8(position: Int64, messageID: Int64, _ content: CustomMessage) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(content.content.utf8.count + 128)
        frame.append(contentsOf: #"{"type":"#.utf8)
        frame.append(contentsOf: (content.isInApp ? #""in-app-message""# : #""message""#).utf8)
        frame.append(contentsOf: #","position":"#.utf8)
        JSONValue.integer(position).write(to: &frame)
        frame.append(contentsOf: #","id":"#.utf8)
        JSONValue.integer(messageID).write(to: &frame)
        func add(_ key: StaticString, _ value: JSONValue) {
            frame.append(UInt8(ascii: ","))
            JSONValue.string(key.description).write(to: &frame)
            frame.append(UInt8(ascii: ":"))
            value.write(to: &frame)
        }
        add("content", .string(content.content))
        if let title = content.title { add("title", .string(title)) }
        if let type = content.contentType { add("content-type", .string(type)) }
        if let extras = content.extras { add("extras", .object(extras)) }
        frame.append(UInt8(ascii: "}"))
        return frame
    }
}
