/// The `notification.ios` object of a push, or its equivalent for `notification.alert`.
package struct IOSNotification: Hashable, Sendable {
    /// A string or Apple's alert dictionary; nil shows nothing.
    package var alert: JSONValue?
    /// A string or Apple's dictionary for critical alerts; nil is silent.
    package var sound: JSONValue?
    package var badge: BadgeChange?
    package var isContentAvailable = false
    package var isContentMutable = false
    /// Strings and numbers that go into `aps` under their own names, such as `category` and `thread-id`.
    package var apsMembers = JSONObject()
    /// Members for the top level of the payload.
    package var extras = JSONObject()

    package init() {}

    /// Whether it is a background push, with nothing to see or hear.
    package var isSilent: Bool { isContentAvailable && alert == nil && sound == nil && badge == nil }
}
