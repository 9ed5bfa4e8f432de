public import PushModel

/// A numbered journey event that a device reports.
public struct CourierEvent: Hashable, Sendable {
    /// The number of the event: 1 higher than that of the device's previous one.
    public var number: Int64
    /// The apns-id of the push that the event belongs to.
    public var apnsID: String
    /// The event.
    public var event: JourneyEvent

    /// Creates an event from its number, push and content.
    public init(number: Int64, apnsID: String, event: JourneyEvent) {
        self.number = number
        self.apnsID = apnsID
        self.event = event
    }
}
