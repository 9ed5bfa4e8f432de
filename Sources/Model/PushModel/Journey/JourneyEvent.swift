public import Foundation

/// One thing that happened to a push, or to a local notification, on its road.
public struct JourneyEvent: Hashable, Sendable {
    public var date: Date
    /// Who saw it happen.
    public var station: Station
    public var kind: Kind

    public init(date: Date, station: Station, kind: Kind) {
        self.date = date
        self.station = station
        self.kind = kind
    }

    public enum Station: String, Hashable, Sendable, Codable {
        case service
        case gateway
        case device
    }

    /// The one vocabulary of the road. Service, gateway and device say nothing else about a push.
    public enum Kind: Hashable, Sendable {
        // Service
        /// On disk: from here on nothing is forgotten.
        case accepted
        /// The device belongs to the audience.
        case targeted
        /// APNs answered 200.
        case sent
        /// APNs answered with this reason, and the push is over for this device.
        case refused(APNSReason)
        /// It will be sent again; the reason is APNs's, or `connection` when there was no answer.
        case retried(String)
        /// It waits until a person mends what is named.
        case paused(PauseReason)
        /// Its sender took it back before it was handed to APNs.
        case withdrawn
        /// The device's quiet hours last until then. While it is held it is sent when they are over; otherwise its time to live
        /// ends before that, and it is not sent at all.
        case quietHours(until: Date, isHeld: Bool)
        // Gateway
        /// It waits for the device.
        case stored
        /// A newer push with the same collapse id, or in the same slot, took its place.
        case coalesced
        /// Its time ran out before the device came.
        case expired
        /// The device acknowledged it.
        case delivered
        // Device
        /// The system started or resumed the app in this state.
        case woken(AppState)
        /// A delegate method ran. The name is Apple's, such as `userNotificationCenter(_:didReceive:)`.
        case callback(name: String, state: AppState)
        /// The app said what its background fetch brought.
        case finished(FetchOutcome)
        case serviceExtension(ExtensionOutcome)
        /// The app's process ended by itself while it worked on this; how, for a person.
        case crashed(String)
        /// It was not shown, or the app was not told.
        case suppressed(SuppressionReason)
        case presented(Presentation)
        /// A person tapped it.
        case opened
        /// A person chose the action with this identifier.
        case acted(String)
        /// A person answered with a text of this many characters.
        case replied(Int)
        case dismissed
        // Local notifications
        case scheduled
        /// A request with the same identifier took its place.
        case replaced(by: String)
        /// A limit pushed it out: on pending requests, or on an app's entries in the notification centre.
        case evicted(limit: Int)
        case fired
    }
}
