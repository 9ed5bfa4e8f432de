public import Foundation

/// One event in the journey of a push or of a local notification.
public struct JourneyEvent: Hashable, Sendable {
    /// The time of the event, by the reporter's clock.
    public var date: Date
    /// The reporter of the event.
    public var station: Station
    /// The event.
    public var kind: Kind

    /// Creates an event from its time, reporter and kind.
    public init(date: Date, station: Station, kind: Kind) {
        self.date = date
        self.station = station
        self.kind = kind
    }

    /// A reporter of events.
    public enum Station: String, Hashable, Sendable, Codable {
        /// The push service, `posthorn serve`.
        case service
        /// The APNs gateway, or Apple's.
        case gateway
        /// The device with its apps.
        case device
    }

    /// The complete vocabulary of journeys: service, gateway and device report nothing else about a push.
    public enum Kind: Hashable, Sendable {
        /// The push is on disk and will not be lost.
        case accepted
        /// The device belongs to the audience.
        case targeted
        /// APNs answered 200.
        case sent
        /// APNs refused the push with this reason; it is finished for this device.
        case refused(APNSReason)
        /// The push will be retried; the reason is from APNs, `connection` if there was no response, or `RST_STREAM` and an error if
        /// APNs has reset the stream of every attempt with it.
        case retried(String)
        /// The push waits until someone fixes the given problem.
        case paused(PauseReason)
        /// The sender withdrew the push before it was sent to APNs.
        case withdrawn
        /// The device has quiet hours until the given time.
        ///
        /// If held, the push is sent when they end; otherwise its time to live ends earlier, and it is not sent.
        case quietHours(until: Date, isHeld: Bool)
        /// The push waits for the device.
        case stored
        /// A newer push with the same collapse id, or in the same slot, replaced it.
        case coalesced
        /// It expired before the device received it.
        case expired
        /// The device acknowledged it.
        case delivered
        /// The system started or resumed the app in this state.
        case woken(AppState)
        /// A delegate method ran. The name is Apple's, such as `userNotificationCenter(_:didReceive:)`.
        case callback(name: String, state: AppState)
        /// The app reported the result of its background fetch.
        case finished(FetchOutcome)
        /// The app's service extension ended, with its outcome.
        case serviceExtension(ExtensionOutcome)
        /// The app's process crashed while handling it; the text describes how.
        case crashed(String)
        /// It was not shown, or the app was not notified.
        case suppressed(SuppressionReason)
        /// Its content does not fit the app's type of Live Activities; the text names the key and what was expected.
        case notDecoded(String)
        /// The device showed the notification, in one way; several ways are several events.
        case presented(Presentation)
        /// The user tapped it.
        case opened
        /// The user chose the action with this identifier.
        case acted(String)
        /// The user replied with a text of this many characters.
        case replied(Int)
        /// The user removed the notification without opening it.
        case dismissed
        /// The app was asked to remove a notification from the notification centre, where it was or not.
        case takenBack(wasShown: Bool)
        /// The app scheduled it as a local notification.
        case scheduled
        /// A request with the same identifier replaced it.
        case replaced(by: String)
        /// It was removed by a limit: on pending requests, or on an app's entries in the notification centre.
        case evicted(limit: Int)
        /// The local notification fell due.
        case fired
    }
}
