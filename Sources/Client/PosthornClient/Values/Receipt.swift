/// A report that something happened to a push on this device.
public struct Receipt: Hashable, Sendable, Codable {
    /// An event of a push's life on the device.
    public enum Event: String, Hashable, Sendable, Codable, CaseIterable {
        /// The app or its service extension has got it.
        case received
        /// It was shown.
        case shown
        /// The user has opened it.
        case opened
        /// The user has chosen one of its actions.
        case action
        /// The user has dismissed it.
        case dismissed
        /// The app has removed the notification, as the push has asked.
        case removed
        /// The notification that the push has asked to remove was not there.
        case absent
        /// The app has shown the in-app message.
        case displayed
        /// The user has tapped the in-app message.
        case clicked

        /// Creates the event of a response: of the system's two actions, or of one of the app's.
        ///
        /// - Parameter action: the `actionIdentifier` of a `UNNotificationResponse`.
        public init(action: String) {
            switch action {
            case "com.apple.UNNotificationDefaultActionIdentifier": self = .opened
            case "com.apple.UNNotificationDismissActionIdentifier": self = .dismissed
            default: self = .action
            }
        }
    }

    /// The push's `_j_msgid`.
    public var messageID: Int64
    /// The event.
    public var event: Event
    /// The time of the event, in seconds since 1970.
    public var time: Int64

    /// Creates a receipt.
    public init(messageID: Int64, event: Event, time: Int64) {
        self.messageID = messageID
        self.event = event
        self.time = time
    }

    /// Whether both report the same, whenever it was.
    func isSame(as other: Receipt) -> Bool { messageID == other.messageID && event == other.event }
}
