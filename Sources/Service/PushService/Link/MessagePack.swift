import DeviceLink
import PushModel

/// Custom messages that go over a link together, in rising order of their positions; the same for all links that get these.
final class MessagePack: Sendable {
    /// Not empty.
    let messages: [PreparedMessage]
    let batch: LinkBatch

    init?(_ messages: [PreparedMessage]) {
        guard !messages.isEmpty else { return nil }
        self.messages = messages
        batch = LinkBatch(utf8: messages.map(\.utf8))
    }

    var first: Int64 { messages[0].position }
    var last: Int64 { messages[messages.count - 1].position }

    /// What of it lies behind a position; nil if nothing does.
    func rest(after position: Int64) -> MessagePack? {
        position < first ? self : MessagePack(messages.filter { $0.position > position })
    }
}

/// A custom message as it goes over links.
struct PreparedMessage: Sendable {
    var position: Int64
    /// Under which the log has it: the first of its batch, or the message itself.
    var logged: MessageID
    /// The frame.
    var utf8: [UInt8]

    init(_ message: MessageID, _ content: CustomMessage, position: Int64, logged: MessageID) {
        self.position = position
        self.logged = logged
        utf8 = SDKMessage.utf8(position: position, messageID: message.number, content)
    }
}
