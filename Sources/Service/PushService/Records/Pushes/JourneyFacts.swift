package import Foundation
package import PushModel

/// The store's data on one message and one device.
package struct JourneyFacts: Sendable {
    package var message: Message
    /// The chunk that holds the device for delivery over APNs; nil if there is none.
    package var chunk: Chunk?
    /// The chunk that retries the device because its push was left undecided.
    package var retry: Chunk?
    /// The device's receipts for the notification. `receiptsAt` is the last change for any device of the chunk.
    package var receipts: ReceiptBits
    package var receiptsAt: Date?
    /// Nil if the device was a target of neither a custom message nor an in-app message.
    package var custom: Custom?
    /// Exceptions and reports, by date.
    package var events: [JourneyEvent]
    package var pause: Pause?

    /// A custom message or an in-app message for the device.
    package struct Custom: Sendable {
        package var chunk: Chunk
        package var receipts: ReceiptBits
        package var receiptsAt: Date?
        /// Nil if it is no longer in the log.
        package var position: Int64?
        /// The position through which the device has received its messages.
        package var cursor: Int64

        package var isInApp: Bool { chunk.kind == .inApp }

        package init(chunk: Chunk, receipts: ReceiptBits, receiptsAt: Date?, position: Int64?, cursor: Int64) {
            self.chunk = chunk
            self.receipts = receipts
            self.receiptsAt = receiptsAt
            self.position = position
            self.cursor = cursor
        }
    }

    package init(
        message: Message,
        chunk: Chunk?,
        retry: Chunk? = nil,
        receipts: ReceiptBits,
        receiptsAt: Date?,
        custom: Custom?,
        events: [JourneyEvent],
        pause: Pause?
    ) {
        self.message = message
        self.chunk = chunk
        self.retry = retry
        self.receipts = receipts
        self.receiptsAt = receiptsAt
        self.custom = custom
        self.events = events
        self.pause = pause
    }
}
