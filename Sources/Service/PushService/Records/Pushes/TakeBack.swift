package import Foundation
package import PushModel

// A push that asks devices to remove the notification of another one: its take-back. It is stored, sent and counted like any other push.
// Receipts set its bits: "clicked" for an answer, "displayed" also if the app has removed the notification.

extension Message {
    /// Begins the cid of a take-back. No caller can use such a cid.
    private static let takeBackPrefix = "take-back-"

    /// Returns the cid by which the take-back of a push is stored once, the one of all devices or that of a single one.
    static func takeBackCID(of message: MessageID, on device: DeviceOrdinal? = nil) -> String {
        takeBackPrefix + message.description + (device.map { "-\($0)" } ?? "")
    }

    /// The push whose notification devices are asked to remove; nil for a push that is no take-back.
    package var takesBack: MessageID? {
        guard let cid, cid.hasPrefix(Self.takeBackPrefix) else { return nil }
        return MessageID(String(cid.dropFirst(Self.takeBackPrefix.count).prefix { $0 != "-" }))
    }
}

extension PreparedPush {
    /// The only device that a take-back asks; nil if it asks all that have the notification.
    package var takesBackFrom: DeviceOrdinal? {
        guard let cid = message.cid, let other = message.takesBack, cid != Message.takeBackCID(of: other) else {
            return nil
        }
        return chunks.first?.ordinals.ordinals.first
    }
}

/// A take-back of a push.
package struct TakeBack: Hashable, Sendable {
    /// The push that asks the devices.
    package var id: MessageID
    /// The push whose notification they are to remove.
    package var message: MessageID
    /// The only device that is asked; nil if all are that have the notification.
    package var device: DeviceOrdinal?
    package var at: Date
    /// The answer of the only device.
    package var answer: ReceiptBits

    package init(id: MessageID, message: MessageID, device: DeviceOrdinal?, at: Date, answer: ReceiptBits) {
        self.id = id
        self.message = message
        self.device = device
        self.at = at
        self.answer = answer
    }
}

/// A push that was withdrawn, as the store has it then.
package struct WithdrawnPush: Sendable {
    package var message: Message
    package var chunks: [Chunk]
    package var reaches: [ChunkReach]
    /// The previous state of the ended chunks, also of the VoIP push beside it, that no worker holds.
    package var ended: [Chunk]
    /// Its take-backs.
    package var takeBacks: [TakeBack]
    /// The push that has replaced it before.
    package var replacement: MessageID?

    package init(
        message: Message,
        chunks: [Chunk],
        reaches: [ChunkReach],
        ended: [Chunk],
        takeBacks: [TakeBack],
        replacement: MessageID?
    ) {
        self.message = message
        self.chunks = chunks
        self.reaches = reaches
        self.ended = ended
        self.takeBacks = takeBacks
        self.replacement = replacement
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
