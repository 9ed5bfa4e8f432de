import PushModel

/// A push that needs nothing but the disk.
package struct PreparedPush: Hashable, Sendable {
    package var message: Message
    package var chunks: [Chunk]
    package var isPaced: Bool
    /// It was counted as a push to everybody of this day.
    var broadcastDay: Int?
    /// What goes over the links of those in chunks for links.
    var custom: CustomMessage?

    package init(message: Message, chunks: [Chunk], isPaced: Bool) {
        self.message = message
        self.chunks = chunks
        self.isPaced = isPaced
    }

    /// Whether a worker has anything to do for it.
    var isDispatched: Bool { chunks.contains { $0.kind == .send } }

    var result: PushResult { PushResult(messageID: message.id, sendno: message.sendno) }
}
