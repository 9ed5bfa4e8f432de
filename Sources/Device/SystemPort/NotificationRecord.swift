public import Foundation
public import PushModel

/// A notification as it crosses the port.
public struct NotificationRecord: Hashable, Sendable {
    /// The collapse id if the push had one, else made by the device.
    public var identifier: String
    /// When it arrived.
    public var date: Date
    public var content: ContentRecord

    public init(identifier: String, date: Date, content: ContentRecord) {
        self.identifier = identifier
        self.date = date
        self.content = content
    }
}

/// What a notification says, as read from the payload of a push.
public struct ContentRecord: Hashable, Sendable {
    public var title = ""
    public var subtitle = ""
    public var body = ""
    /// Nil leaves the icon alone, 0 clears it.
    public var badge: Int?
    public var sound: SoundRecord?
    public var categoryIdentifier = ""
    public var threadIdentifier = ""
    public var launchImageName = ""
    public var targetContentIdentifier: String?
    /// 0 passive, 1 active, 2 time sensitive, 3 critical.
    public var interruptionLevel: UInt = 1
    public var relevanceScore = 0.0
    public var filterCriteria: String?
    /// The whole payload, `aps` included.
    public var userInfo: JSONObject = [:]

    public init() {}

    /// Whether there is text to show.
    public var hasText: Bool { !(title.isEmpty && subtitle.isEmpty && body.isEmpty) }
}

/// The sound of a notification; no name is the system's own.
public struct SoundRecord: Hashable, Sendable {
    public var name: String?

    public init(name: String?) { self.name = name }
}

/// What a person did to a notification.
public struct ResponseRecord: Hashable, Sendable {
    public var notification: NotificationRecord
    /// One of Apple's two identifiers for tap and dismissal, or the app's own.
    public var actionIdentifier: String

    public init(notification: NotificationRecord, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }

    public static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
    public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"
}
