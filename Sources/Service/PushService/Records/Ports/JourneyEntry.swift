package import PushModel

/// An event of one message on one device that was not plain success, or came from outside the service.
package struct JourneyEntry: Hashable, Sendable {
    package var message: MessageID
    package var ordinal: DeviceOrdinal
    package var event: JourneyEvent

    package init(message: MessageID, ordinal: DeviceOrdinal, event: JourneyEvent) {
        self.message = message
        self.ordinal = ordinal
        self.event = event
    }
}
