import PushModel
import SystemPort

/// A push's payload as parsed by the system.
///
/// Source: Apple, "Generating a remote notification" (payload key reference), read October 2026.
struct RemotePayload: Hashable, Sendable {
    var content: ContentRecord
    /// Whether it wakes the app.
    var isContentAvailable: Bool
    /// Whether a service extension may modify it.
    var isMutable: Bool
    /// Whether there is something for the user: text, a sound or a badge. An alert without text is nothing: the push is silent, as
    /// on iOS 10 and later (urbanairship/ios-library#118).
    var isForUser: Bool { content.hasText || content.badge != nil || content.sound != nil }

    /// Reads a payload, with the app's strings in the device's language; nil if the bytes are not a JSON object. With a profile, what its
    /// version does not show is left out. Source of subtitles: Apple, `UNNotificationContent.subtitle`.
    init?(_ bytes: [UInt8], strings: [String: String] = [:], on profile: SystemProfile? = nil) {
        guard let object = (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)))?.object else { return nil }
        let aps = object["aps"]?.object ?? [:]
        content = ContentRecord()
        content.userInfo = object
        content.readAlert(aps["alert"], strings)
        content.badge = aps["badge"]?.integer.map { Int(clamping: $0) }
        content.sound = SoundRecord(json: aps["sound"])
        content.readDetails(aps)
        isContentAvailable = aps["content-available"]?.isOn == true
        isMutable = aps["mutable-content"]?.isOn == true
        if profile?.hasTitles == false { content.title = "" }
        if profile?.hasNotificationCenter == false { content.subtitle = "" }
        if profile?.hasSoundObjects == false, aps["sound"]?.object != nil { content.sound = nil }
    }
}

extension ContentRecord {
    /// Reads the alert. Localized text takes precedence over literal text. Apple says "instead of" without defining
    /// which wins; senders provide both, the literal one for versions of the app without the key
    /// (ZhukV/AppleApnPush#62). A report for iOS 9 saw the literal one win (chvanikoff/apns4ex#15).
    fileprivate mutating func readAlert(_ alert: JSONValue?, _ strings: [String: String]) {
        if let text = alert?.string {
            body = text
            return
        }
        guard let alert = alert?.object else { return }
        func text(plain: String, key: String, arguments: String) -> String {
            let literal = alert[plain]?.string
            guard let key = alert[key]?.string else { return literal ?? "" }
            // A key missing from the app is shown itself, unless the sender gave a text for older versions of the app.
            guard let format = strings[key] ?? (literal == nil ? key : nil) else { return literal ?? "" }
            return LocalizedText.fill(format, with: alert[arguments])
        }
        title = text(plain: "title", key: "title-loc-key", arguments: "title-loc-args")
        subtitle = text(plain: "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args")
        body = text(plain: "body", key: "loc-key", arguments: "loc-args")
        launchImageName = alert["launch-image"]?.string ?? ""
    }

    fileprivate mutating func readDetails(_ aps: JSONObject) {
        threadIdentifier = aps["thread-id"]?.string ?? ""
        categoryIdentifier = aps["category"]?.string ?? ""
        targetContentIdentifier = aps["target-content-id"]?.string
        filterCriteria = aps["filter-criteria"]?.string
        relevanceScore = aps["relevance-score"]?.double ?? 0
        // Senders put these two keys into the alert or beside it.
        func summary(_ key: String) -> JSONValue? { aps["alert"]?.object?[key] ?? aps[key] }
        summaryArgument = summary("summary-arg")?.string ?? ""
        // 0 is not allowed.
        summaryArgumentCount = max(1, summary("summary-arg-count")?.integer.map { Int(clamping: $0) } ?? 1)
        // In the order of their values.
        let levels = ["passive", "active", "time-sensitive", "critical"]
        let level = aps["interruption-level"]?.string.flatMap(levels.firstIndex).map { UInt($0) }
        interruptionLevel = level ?? InterruptionLevel.active.rawValue
    }
}

extension SoundRecord {
    fileprivate init?(json: JSONValue?) {
        guard let name = json?.string ?? json?.object?["name"]?.string, !name.isEmpty else { return nil }
        self.init(name: name == "default" ? nil : name)
        isCritical = json?.object?["critical"]?.isOn == true
        volume = json?.object?["volume"]?.double.map { Float($0) }
    }
}

extension LocalizedText {
    /// Fills a format with the arguments of a payload, such as `loc-args`, as `%@` shows what JSON becomes on iOS: null is `<null>`
    /// (ZhukV/AppleApnPush#33), true is 1.
    static func fill(_ format: String, with arguments: JSONValue?) -> String {
        fill(format, with: (arguments?.array ?? []).map(\.shownByFormat))
    }
}

extension JSONValue {
    fileprivate var shownByFormat: String {
        switch self {
        case .string(let text): text
        case .null: "<null>"
        case .bool(let value): value ? "1" : "0"
        case .integer, .double, .decimal, .array, .object: text
        }
    }
}
