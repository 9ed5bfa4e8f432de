/// The `notification.ios` object of a push, or its equivalent for `notification.alert`.
package struct IOSNotification: Hashable, Sendable {
    /// A string or Apple's alert dictionary; nil shows nothing.
    package var alert: JSONValue?
    /// Alerts that replace it for devices in their languages.
    package var localized = LocalizedAlerts()
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

/// The change that a push makes to the app's badge.
package enum BadgeChange: Hashable, Sendable {
    case set(Int)
    /// Adds to the badge that the service stores for the device; never below 0.
    case add(Int)

    /// Returns the badge after the change, 0 to 99999.
    package func applied(to badge: Int) -> Int {
        let result =
            switch self {
            case .set(let value): value
            case .add(let difference): badge + difference
            }
        return min(max(result, 0), JPushLimits.badge)
    }
}

extension PayloadTemplate {
    /// Builds the payload of a VoIP push: the same object for all devices.
    package init(unchanged object: JSONObject) { self.init(whole: object.bytes) }

    /// Builds the payload of a message. Its number is the user id.
    ///
    /// The form is `{"aps":{…},` the extras, `"_j_msgid":…,"_j_uid":…,"_j_business":1}`: client code removes exactly these keys to
    /// get the extras. Source: JPush iOS SDK, "iOS API", section on receiving notifications. A push that asks to remove the notification
    /// of another one names it in `_j_undo`.
    package init(_ notification: IOSNotification, messageID: MessageID, takingBack other: MessageID? = nil) {
        var aps: JSONObject = [:]
        aps["alert"] = notification.alert
        aps["sound"] = notification.sound
        if notification.isContentAvailable { aps["content-available"] = 1 }
        if notification.isContentMutable { aps["mutable-content"] = 1 }
        aps.add(notification.apsMembers)
        var others = notification.extras
        for key in others.keys where key == "aps" || key.hasPrefix("_j_") { others[key] = nil }
        others["_j_msgid"] = .integer(messageID.number)
        others["_j_uid"] = 0
        others["_j_business"] = 1
        if let other { others["_j_undo"] = .integer(other.number) }
        self.init(aps: aps, others: others, numberKey: "_j_uid")
        findVariables(inAlert: aps["alert"])
    }
}

extension IOSNotification {
    /// Whether the push breaks through a Focus: `time-sensitive` or `critical`.
    package var isTimeSensitive: Bool {
        apsMembers["interruption-level"] == "time-sensitive" || apsMembers["interruption-level"] == "critical"
    }
}
