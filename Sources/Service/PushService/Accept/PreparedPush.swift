package import PushModel

/// A push that only has to be written to disk.
package struct PreparedPush: Hashable, Sendable {
    package var message: Message
    package var chunks: [Chunk]
    package var isPaced: Bool
    /// The day for which the push was counted as a broadcast; nil if it was not counted.
    var broadcastDay: Int?
    /// The custom message for the devices in chunks for SDK links.
    var custom: CustomMessage?

    /// The VoIP push that stands beside the notification and is stored with it; at most one.
    package var voip: [PreparedPush] = []
    /// The address that is told what becomes of the push.
    package var callback: PushCallback?
    /// Whether the push is a VoIP push.
    package var isVoIP = false

    package init(message: Message, chunks: [Chunk], isPaced: Bool) {
        self.message = message
        self.chunks = chunks
        self.isPaced = isPaced
    }

    /// Whether a worker has to send anything for the push.
    var isDispatched: Bool { chunks.contains { $0.kind == .send } }

    /// The push and the VoIP push beside it.
    var all: [PreparedPush] { [self] + voip }

    var result: PushResult { PushResult(messageID: message.id, sendno: message.sendno) }
}
