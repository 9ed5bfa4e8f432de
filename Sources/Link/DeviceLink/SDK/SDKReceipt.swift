/// A receipt that an app reports for a push.
public struct SDKReceipt: Hashable, Sendable {
    /// An event that a receipt reports.
    public enum Event: String, Hashable, Sendable, CaseIterable {
        /// The app, or its service extension, received the push.
        case received
        /// Its notification was shown.
        case shown
        /// The user opened the app with its notification.
        case opened
        /// The user chose one of its actions, or replied.
        case action
        /// The user dismissed it.
        case dismissed
        /// The app removed the notification for which the push asked.
        case removed
        /// That notification was not there any more: the user had opened or removed it.
        case absent
        /// An in-app message was shown.
        case displayed
        /// An in-app message was tapped.
        case clicked
    }

    /// `_j_msgid` of the payload.
    public var messageID: Int64
    /// The reported event.
    public var event: Event
    /// Unix time, in seconds.
    public var time: Int64

    /// Creates a receipt.
    public init(messageID: Int64, event: Event, time: Int64) {
        self.messageID = messageID
        self.event = event
        self.time = time
    }
}
