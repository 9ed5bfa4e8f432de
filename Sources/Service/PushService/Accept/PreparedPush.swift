/// A push that needs nothing but the disk.
package struct PreparedPush: Hashable, Sendable {
    package var message: Message
    package var chunks: [Chunk]
    package var isPaced: Bool

    package init(message: Message, chunks: [Chunk], isPaced: Bool) {
        self.message = message
        self.chunks = chunks
        self.isPaced = isPaced
    }

    var result: PushResult { PushResult(messageID: message.id, sendno: message.sendno) }
}
