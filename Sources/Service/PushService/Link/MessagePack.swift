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
        batch = LinkBatch(messages.map(\.text))
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
    var message: MessageID
    /// The frame.
    var text: String

    init(_ record: CustomMessageRecord, _ content: CustomMessage, isInApp: Bool = false) {
        position = record.position
        message = record.message
        let frame = SDKMessage(
            position: record.position,
            messageID: record.message.number,
            content: content.content,
            title: content.title,
            contentType: content.contentType,
            extras: content.extras,
            isInApp: isInApp
        )
        text = SDKFrame.message(frame).text
    }
}
