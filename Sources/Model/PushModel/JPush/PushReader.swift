/// Reads the members of a push object; each method is one check, in the order in which the caller runs them.
///
/// The members that most pushes have are divided from the rest. Most pushes have none of the rest, so checks that look for them have
/// nothing to compare.
struct PushReader {
    let object: JSONObject
    /// The recipient of a push in a batch; nil for others, whose object contains it.
    let target: BatchPush.Target?
    let audienceValue: JSONValue?
    let notification: JSONValue?
    /// The members of ``object`` that few pushes have.
    let rare: JSONObject
    /// The members of `notification` that few pushes have.
    let rareOfNotification: JSONObject

    init(_ object: JSONObject, to target: BatchPush.Target? = nil) {
        self.object = object
        self.target = target
        audienceValue = object["audience"]
        notification = object["notification"]
        rare = object.without(target == nil ? Self.usualKeys : Self.usualBatchedKeys)
        rareOfNotification = notification?.object?.without(["ios", "alert"]) ?? [:]
    }

    private static let usualKeys = ["platform", "audience", "notification", "options", "cid"]
    private static let usualBatchedKeys = ["platform", "target", "notification", "options"]

    func checkRequiredKeys() throws(JPushError) {
        guard object["platform"] != nil else { throw .missing("Missing parameter 'platform'.") }
        guard target != nil || audienceValue != nil else { throw .missing("Missing parameter 'audience'.") }
        guard notification != nil || messageMember != nil || rare["live_activity"] != nil else {
            throw .missing("Missing parameter: a push needs 'notification', 'message' or 'live_activity'.")
        }
        try checkRequiredLiveActivityKeys()
        try checkRequiredCallbackKeys()
        if let content = messageMember?.object, content["msg_content"] == nil {
            throw .missing("Missing parameter 'message.msg_content'.")
        }
    }

    private static let allPlatforms = Set(Platform.allCases)
    private static let onlyIOS: Set<Platform> = [.ios]

    func platforms() throws(JPushError) -> Set<Platform> {
        let value = object["platform"] ?? .null
        let names: [JSONValue]
        switch value {
        case .string("all"): return Self.allPlatforms
        case .string: names = [value]
        case .array(let members): names = members
        // PHP encodes an array in this way after a member was removed.
        case .object(let members): names = members.members.map(\.value)
        default: throw wrongKind("platform", value, expected: "\"all\" or an array of names")
        }
        // Most pushes name this platform alone.
        if names.count == 1, names[0] == .string("ios") { return Self.onlyIOS }
        var platforms: Set<Platform> = []
        for name in names {
            guard let platform = name.string.flatMap(Platform.init(rawValue:)) else {
                let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badValue("'platform' holds \(name.text); expected \"all\" or any of \(known).")
            }
            platforms.insert(platform)
        }
        guard !platforms.isEmpty else { throw .badValue("'platform' is empty; expected \"all\" or names.") }
        return platforms
    }

    func cid() throws(JPushError) -> String? {
        guard let cid = try string("cid", in: object) else { return nil }
        guard !cid.isEmpty else { throw .badValue("'cid' is empty; expected the app's key, '-' and a UUID, or none.") }
        return cid
    }

    func isForecast() throws(JPushError) -> Bool { try flag("x_forecast", in: rare) ?? false }

    /// The members for other channels than APNs.
    static let otherChannels = ["sms_message", "notification_3rd"]

    /// Checks the types of members that other channels use, but not their content.
    func checkOtherChannels() throws(JPushError) {
        for key in Self.otherChannels + ["inapp_message"] {
            guard let value = rare[key] else { continue }
            guard let members = value.object else { throw wrongKind(key, value, expected: "an object") }
            if key == "sms_message" { try checkSMS(members) }
        }
    }

    /// The texts of the in-app message by language, if they are not those of the notification. Valid after ``checkOtherChannels()``.
    func inAppLanguages(hasAlert: Bool) throws(JPushError) -> LocalizedAlerts {
        let path = "inapp_message.x_localized"
        let languages = try localized(rare["inapp_message"]?.object?["x_localized"], at: path, hasAlert: hasAlert)
        // Those of the notification have the limit of its payload.
        for (name, alert) in zip(languages.names, languages.alerts) where alert.byteCount > JPushLimits.iosBytes {
            throw .tooLarge(
                "'\(path).\(name)' has \(alert.byteCount) bytes; at most \(JPushLimits.iosBytes) are allowed."
            )
        }
        return languages
    }

    /// Valid after ``checkOtherChannels()``.
    var isShownInApp: Bool { rare["inapp_message"]?.object?["inapp_message"]?.jpushBool == true }

    /// Checks the kinds of the members of a text message: of a template, or of a text of its own as in earlier editions of JPush's libraries
    /// (Node 4.2.0, `setSmsMessage`; PHP, its page of the API). None is sent, so none of them has to be there.
    private func checkSMS(_ members: JSONObject) throws(JPushError) {
        if let id = members["temp_id"], id.jpushInteger == nil { throw wrongInteger("sms_message.temp_id", id) }
        _ = try string("content", in: members, at: "sms_message.")
        guard let delay = members["delay_time"] else { return }
        guard let seconds = delay.jpushInteger else { throw wrongInteger("sms_message.delay_time", delay) }
        guard (0...86_400).contains(seconds) else {
            throw .badValue("'sms_message.delay_time' is \(seconds); expected 0 to 86400 seconds.")
        }
    }

    private static let keys = [
        "platform", "audience", "notification", "options", "cid", "message", "live_activity", "inapp_message",
        "notification_3rd", "sms_message", "callback", "x_forecast",
    ]
    private static let batchedKeys = ["target"] + keys.filter { !["audience", "cid", "x_forecast"].contains($0) }
    static let audienceMembers = audienceKeys + pastKeys + ["file", "live_activity_id"]
    private static let notificationKeys =
        ["alert", "alternate_alert", "ai_opportunity", "voip"] + Platform.allCases.map(\.rawValue)

    func checkUnknownKeys() throws(JPushError) {
        try check(rare, against: target == nil ? Self.keys : Self.batchedKeys, at: "")
        try checkUnknownAudienceKeys()
        try checkUnknownCallbackKeys()
        if let message = messageMember?.object { try check(message, against: Self.messageKeys, at: "message.") }
        if let live = rare["live_activity"]?.object { try check(live, against: ["ios"], at: "live_activity.") }
        if let ios = liveActivityMembers {
            try check(ios, against: Self.liveActivityKeys, at: "live_activity.ios.")
            if let alert = ios["alert"]?.object {
                try check(alert, against: Self.liveActivityAlertKeys, at: "live_activity.ios.alert.")
            }
        }
        try check(rareOfNotification, against: Self.notificationKeys, at: "notification.")
        if let ios = notification?.object?["ios"]?.object {
            try check(ios, against: Self.iosKeys, at: "notification.ios.")
        }
    }

    func checkUnknownAudienceKeys() throws(JPushError) {
        guard let audience = audienceValue?.object else { return }
        try check(audience, against: Self.audienceMembers, at: "audience.")
        if let file = audience["file"]?.object { try check(file, against: ["file_id"], at: "audience.file.") }
    }

    func check(_ object: JSONObject, against known: [String], at path: String) throws(JPushError) {
        for member in object.members where !known.contains(member.key) {
            let key = member.key
            let meant = key == "x_localized" ? "notification.ios.x_localized" : key.dashed
            let isKnown = meant != key && (known.contains(meant) || key == "x_localized")
            let hint = isKnown ? " Did you mean '\(meant)'?" : ""
            throw .unsupportedKey("'\(path)\(key)' is not a key of a push.\(hint) Custom data belongs in 'extras'.")
        }
    }

    /// Returns an object; nil without a value. PHP writes an empty object as an array.
    func object(_ value: JSONValue?, at path: @autoclosure () -> String) throws(JPushError) -> JSONObject? {
        switch value {
        case nil: return nil
        case .array([]): return [:]
        case .object(let members): return members
        case .some(let other): throw wrongKind(path(), other, expected: "an object")
        }
    }

    /// Returns a string; nil without a value.
    func string(_ key: String, in members: JSONObject, at path: String = "") throws(JPushError) -> String? {
        guard let value = members[key] else { return nil }
        guard let text = value.string else { throw wrongKind(path + key, value, expected: "a string") }
        return text
    }

    /// Returns a flag; nil without a value.
    func flag(_ key: String, in members: JSONObject, at path: String = "") throws(JPushError) -> Bool? {
        guard let value = members[key] else { return nil }
        guard let flag = value.jpushBool else { throw wrongKind(path + key, value, expected: "true or false") }
        return flag
    }

    func wrongKind(_ path: String, _ value: JSONValue, expected: String) -> JPushError {
        .badValue("'\(path)' is \(value.kind); expected \(expected).")
    }

    func wrongInteger(_ path: String, _ value: JSONValue) -> JPushError {
        .badValue("'\(path)' is \(value.text.prefix(40)); expected an integer.")
    }
}
