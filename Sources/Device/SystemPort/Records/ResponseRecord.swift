import PushModel

/// A user's action on a notification.
public struct ResponseRecord: Hashable, Sendable, Codable {
    /// The notification that the user acted on.
    public var notification: NotificationRecord
    /// One of Apple's two identifiers for tap and dismissal, or the app's own.
    public var actionIdentifier: String
    /// The user's text, for an action that asks for it.
    public var userText: String?

    /// Creates a response.
    public init(notification: NotificationRecord, actionIdentifier: String, userText: String? = nil) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
        self.userText = userText
    }

    /// Apple's identifier for a tap on the notification.
    public static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
    /// Apple's identifier for dismissing the notification.
    public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"
}
