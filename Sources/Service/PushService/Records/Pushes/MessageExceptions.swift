package import PushModel

/// The stored events of a push on its devices.
package struct MessageExceptions: Sendable {
    package var events: [(event: JourneyEvent.Kind, ordinals: [DeviceOrdinal])]
    /// Whether there are no further ones.
    package var isComplete: Bool

    package init(events: [(event: JourneyEvent.Kind, ordinals: [DeviceOrdinal])], isComplete: Bool) {
        self.events = events
        self.isComplete = isComplete
    }
}
