import DeviceLink
import PushModel

/// Custom messages sent over a link together, in ascending order of position; shared by all links that receive the same ones.
final class MessagePack: Sendable {
    /// The messages, at least one.
    let messages: [EncodedMessage]
    let batch: LinkBatch

    init?(_ messages: [EncodedMessage]) {
        guard !messages.isEmpty else { return nil }
        self.messages = messages
        batch = LinkBatch(utf8: messages.map(\.utf8))
    }

    var first: Int64 { messages[0].position }
    var last: Int64 { messages[messages.count - 1].position }

    /// The messages after a position; nil if there are none.
    func rest(after position: Int64) -> MessagePack? {
        position < first ? self : MessagePack(messages.filter { $0.position > position })
    }
}

/// A custom message encoded for links.
struct EncodedMessage: Sendable {
    var position: Int64
    /// The id under which the log stores it: the first message of its batch, or the message itself.
    var logged: MessageID
    /// The encoded frame.
    var utf8: [UInt8]

    init(_ message: MessageID, _ content: CustomMessage, position: Int64, logged: MessageID) {
        self.position = position
        self.logged = logged
        utf8 = SDKMessage.utf8(position: position, messageID: message.number, content)
    }
}
