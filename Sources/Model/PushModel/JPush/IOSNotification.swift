/// The `notification.ios` object of a push, or its equivalent for `notification.alert`.
public struct IOSNotification: Hashable, Sendable {
    /// A string or Apple's alert dictionary; nil shows nothing.
    public var alert: JSONValue?
    /// A string or Apple's dictionary for critical alerts; nil is silent.
    public var sound: JSONValue?
    public var badge: BadgeChange?
    public var isContentAvailable = false
    public var isContentMutable = false
    /// Strings and numbers that go into `aps` under their own names, such as `category` and `thread-id`.
    public var apsMembers = JSONObject()
    /// Members for the top level of the payload.
    public var extras = JSONObject()

    public init() {}

    /// Whether it is a background push, with nothing to see or hear.
    public var isSilent: Bool { isContentAvailable && alert == nil && sound == nil && badge == nil }
}
