package import Foundation
package import PushModel

/// What the store knows of a message and a device.
package struct JourneyFacts: Sendable {
    package var message: Message
    /// The chunk that holds the device on the road over APNs; nil if none does.
    package var chunk: Chunk?
    /// The chunk in which the device is tried again, since its push could not be decided.
    package var retry: Chunk?
    /// What the device's receipts say of the notification, and when that changed last for any device of the chunk.
    package var receipts: ReportBits
    package var receiptsAt: Date?
    /// Nil if neither a custom nor an in-app message was for the device.
    package var custom: Custom?
    /// Exceptions and reports, in the order of their dates.
    package var events: [JourneyEvent]
    package var pause: Pause?

    /// A custom message, or an in-app message, and a device.
    package struct Custom: Sendable {
        package var chunk: Chunk
        package var receipts: ReportBits
        package var receiptsAt: Date?
        /// Nil if it has left the log.
        package var position: Int64?
        /// Up to where the device has had its messages.
        package var cursor: Int64

        package var isInApp: Bool { chunk.kind == .inApp }

        package init(chunk: Chunk, receipts: ReportBits, receiptsAt: Date?, position: Int64?, cursor: Int64) {
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
        receipts: ReportBits,
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
