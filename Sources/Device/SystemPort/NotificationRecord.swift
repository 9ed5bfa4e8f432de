public import Foundation
public import PushModel

/// A notification as it crosses the port.
public struct NotificationRecord: Hashable, Sendable, Codable {
    /// The collapse id if the push had one, else made by the device; for a local notification the request's.
    public var identifier: String
    /// When it was delivered.
    public var date: Date
    public var content: ContentRecord
    /// Nil for a local notification without a trigger.
    public var trigger: TriggerRecord?

    public init(identifier: String, date: Date, content: ContentRecord, trigger: TriggerRecord? = .push) {
        self.identifier = identifier
        self.date = date
        self.content = content
        self.trigger = trigger
    }

    /// The app's own, no push.
    public var isLocal: Bool { trigger != .push }
}

/// A notification that is to be delivered, as it crosses the port.
public struct RequestRecord: Hashable, Sendable, Codable {
    public var identifier: String
    public var content: ContentRecord
    /// Nil means at once.
    public var trigger: TriggerRecord?

    public init(identifier: String, content: ContentRecord, trigger: TriggerRecord?) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}

/// What a notification says, as read from the payload of a push or as the app wrote it.
public struct ContentRecord: Hashable, Sendable, Codable {
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
    public var summaryArgument = ""
    public var summaryArgumentCount = 1
    public var attachments: [AttachmentRecord] = []
    /// Of a push: the whole payload, `aps` included.
    public var userInfo: JSONObject = [:]
    /// The app's own `userInfo`; nil where the payload of a push takes its place.
    public var ownInfo: InfoValue?
    /// What the app said, if it said it as before iOS 10.
    public var legacy: LegacyNotificationRecord?

    /// Of a local notification that waits: its texts that are taken from a strings file at delivery, by what they say now.
    public var localized: [String: LocalizedString] = [:]

    public init() {}

    /// Whether there is text to show.
    public var hasText: Bool { !(title.isEmpty && subtitle.isEmpty && body.isEmpty) }
}

/// The sound of a notification; no name is the system's own.
public struct SoundRecord: Hashable, Sendable, Codable {
    public var name: String?
    /// Sounds through the mute switch, with permission.
    public var isCritical = false
    /// Of a critical sound, 0 to 1.
    public var volume: Float?
    public var isRingtone = false

    public init(name: String?) { self.name = name }
}

/// A file of a notification, as it crosses the port.
public struct AttachmentRecord: Hashable, Sendable, Codable {
    public var identifier: String
    /// Where the file lies: the app's own place at first, the device's store later.
    public var path: String
    /// A uniform type identifier.
    public var type: String
    public var hidesThumbnail = false
    /// What of the picture the thumbnail shows, in fractions of it, origin at the top left: x, y, width, height.
    public var clipping: [Double]?
    /// Which moment of the film the thumbnail shows, in seconds.
    public var thumbnailTime: Double?

    public init(identifier: String, path: String, type: String) {
        self.identifier = identifier
        self.path = path
        self.type = type
    }
}

/// What a person did to a notification.
public struct ResponseRecord: Hashable, Sendable, Codable {
    public var notification: NotificationRecord
    /// One of Apple's two identifiers for tap and dismissal, or the app's own.
    public var actionIdentifier: String
    /// What the person wrote, for an action that asks for text.
    public var userText: String?

    public init(notification: NotificationRecord, actionIdentifier: String, userText: String? = nil) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
        self.userText = userText
    }

    public static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
    public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"
}
