package import PushModel

/// The journey of a push to a device, from the request to the user, as the API shows it.
package struct Journey: Codable, Sendable {
    /// The verdict and the events of one delivery path.
    package struct Part: Codable, Sendable {
        package var verdict: Verdict
        package var events: [JourneyEvent]
        /// The apns-id of a VoIP push; nil for messages.
        package var apnsID: String?
    }

    package enum PushType: String, Codable, CaseIterable, Sendable { case voip }

    package let msgID: String
    package let registrationID: String
    /// The id of the request that the push came with; nil for a push that the service itself sent.
    @OrNull package var requestID: String? = nil
    /// The apns-id; nil if nothing was to go to the device over APNs.
    @OrNull package var apnsID: String? = nil
    /// The verdict on the delivery over APNs, or on the custom message if the push has nothing else for the device.
    package var verdict = Verdict.notInAudience
    package var events: [JourneyEvent] = []
    /// The custom message beside a notification, over the SDK link.
    package var custom: Part?
    /// The in-app message, which the app shows itself when the user has switched notifications off, over the SDK link.
    package var inApp: Part?
    /// The type of a VoIP push; nil for any other.
    package var pushType: PushType?
    /// For a VoIP push beside a notification, the push that it came with.
    package var origin: String?
    /// The VoIP push beside the notification, over APNs to the device's token for PushKit.
    package var voip: Part?
    /// The order to remove the notification, which its sender has taken back.
    package var takenBack: Part?
    /// The order to remove the notification, which another device of the alias has opened.
    package var readElsewhere: Part?

    private enum CodingKeys: String, CodingKey {
        case msgID, registrationID, requestID, apnsID, verdict, events
        case custom = "message"
        case inApp = "inapp"
        case pushType
        case origin = "voip_of"
        case voip, takenBack, readElsewhere
    }

    /// Whether the device was in the audience.
    var isTarget: Bool { verdict != .notInAudience || inApp != nil || voip != nil }
    /// The part to which ``verdict`` and ``events`` belong.
    package var main: Part { Part(verdict: verdict, events: events, apnsID: apnsID) }
}
