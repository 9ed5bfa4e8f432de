public import PushModel

/// The content of a notification, as read from the payload of a push or as created by the app.
public struct ContentRecord: Hashable, Sendable, Codable {
    /// The title; empty for none.
    public var title = ""
    /// The subtitle; empty for none.
    public var subtitle = ""
    /// The text; empty for none.
    public var body = ""
    /// The badge; nil leaves the icon unchanged, 0 clears it.
    public var badge: Int?
    /// The sound; nil for none.
    public var sound: SoundRecord?
    /// The identifier of the category; empty for none.
    public var categoryIdentifier = ""
    /// The identifier by which notifications are grouped; empty for the app's own group.
    public var threadIdentifier = ""
    /// The name of the launch image; empty for the app's own.
    public var launchImageName = ""
    /// The identifier of the content, or of the scene, that the notification is about; nil for none.
    public var targetContentIdentifier: String?
    /// The level: 0 passive, 1 active, 2 time sensitive, 3 critical.
    public var interruptionLevel: UInt = 1
    /// The relevance in the scheduled summary, 0 to 1.
    public var relevanceScore = 0.0
    /// The criteria by which a Focus filters the notification; nil for none.
    public var filterCriteria: String?
    /// The text for the summary of the group; empty for none.
    public var summaryArgument = ""
    /// The number of items that the notification stands for in the summary.
    public var summaryArgumentCount = 1
    /// The attachments, in the order in which the app added them.
    public var attachments: [AttachmentRecord] = []
    /// The whole payload of a push, `aps` included.
    public var userInfo: JSONObject = [:]
    /// The app's own `userInfo`; nil for a push, whose payload is used instead.
    public var ownInfo: InfoValue?
    /// The person who wrote, if the app made it a communication notification; nil otherwise.
    public var sender: MessageSenderRecord?
    /// The app's original notification if it used the API before iOS 10.
    public var legacy: LegacyNotificationRecord?

    /// The texts of a pending local notification that are taken from a strings file at delivery, by their current text.
    public var localized: [String: LocalizedString] = [:]

    /// The values of `UNNotificationInterruptionLevel`.
    package enum InterruptionLevel: UInt, Sendable { case passive, active, timeSensitive, critical }

    /// Creates empty content.
    public init() {}

    /// ``interruptionLevel`` by name; another value counts as active.
    package var level: InterruptionLevel { InterruptionLevel(rawValue: interruptionLevel) ?? .active }

    /// Whether there is text to show.
    public var hasText: Bool { !(title.isEmpty && subtitle.isEmpty && body.isEmpty) }
}
