package import PushModel

// A push that asks devices to remove the notification of another one: its take-back. It is stored, sent and counted like any other push.
// Receipts set its bits: "clicked" for an answer, "displayed" also if the app has removed the notification.

extension Message {
    /// Begins the cid of a take-back. No caller can use such a cid.
    private static let takeBackPrefix = "take-back-"

    /// Returns the cid by which the take-back of a push is stored once.
    static func takeBackCID(of message: MessageID) -> String { takeBackPrefix + message.description }

    /// The push whose notification devices are asked to remove; nil for a push that is no take-back.
    package var takesBack: MessageID? {
        guard let cid, cid.hasPrefix(Self.takeBackPrefix) else { return nil }
        return MessageID(String(cid.dropFirst(Self.takeBackPrefix.count)))
    }
}

/// A take-back of a push.
package struct TakeBack: Hashable, Sendable {
    /// The push that asks the devices.
    package var id: MessageID
    /// The push whose notification they are to remove.
    package var message: MessageID

    package init(id: MessageID, message: MessageID) {
        self.id = id
        self.message = message
    }
}

/// A push that was withdrawn, as the store has it then.
package struct WithdrawnPush: Sendable {
    package var message: Message
    package var chunks: [Chunk]
    package var reaches: [ChunkReach]
    /// The previous state of the ended chunks, also of the VoIP push beside it, that no worker holds.
    package var ended: [Chunk]
    /// Whether it has a take-back already.
    package var isTakenBack: Bool

    package init(
        message: Message,
        chunks: [Chunk],
        reaches: [ChunkReach],
        ended: [Chunk],
        isTakenBack: Bool
    ) {
        self.message = message
        self.chunks = chunks
        self.reaches = reaches
        self.ended = ended
        self.isTakenBack = isTakenBack
    }
}

/// The effect of withdrawing a push.
package struct Withdrawal: Sendable {
    /// The previous state of the ended chunks that no worker holds.
    package var ended: [Chunk]
    /// The pushes that were stored with it.
    package var pushes: [PreparedPush]

    package init(ended: [Chunk], pushes: [PreparedPush]) {
        self.ended = ended
        self.pushes = pushes
    }
}
