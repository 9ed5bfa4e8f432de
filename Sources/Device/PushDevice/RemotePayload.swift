import PushModel
import SystemPort

/// A push's payload as the system reads it.
///
/// Source: Apple, "Generating a remote notification" (payload key reference), read October 2026.
struct RemotePayload: Hashable, Sendable {
    var content: ContentRecord
    /// Wakes the app.
    var isContentAvailable: Bool
    /// There is something for the person: text, a sound or a badge.
    var isForPerson: Bool

    /// Nil if the bytes are not a JSON object.
    init?(_ bytes: [UInt8]) {
        guard let object = (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)))?.object else { return nil }
        let aps = object["aps"]?.object ?? [:]
        content = ContentRecord()
        content.userInfo = object
        content.readAlert(aps["alert"])
        content.badge = aps["badge"]?.integer.map { Int(clamping: $0) }
        content.sound = SoundRecord(json: aps["sound"])
        content.readDetails(aps)
        isContentAvailable = aps["content-available"]?.integer == 1 || aps["content-available"]?.bool == true
        isForPerson = aps["alert"] != nil || content.badge != nil || content.sound != nil
    }
}

extension ContentRecord {
    fileprivate mutating func readAlert(_ alert: JSONValue?) {
        if let text = alert?.string {
            body = text
            return
        }
        guard let alert = alert?.object else { return }
        // An app without a strings file shows the key, as iOS does for a key that the file has not.
        title = alert["title"]?.string ?? alert["title-loc-key"]?.string ?? ""
        subtitle = alert["subtitle"]?.string ?? alert["subtitle-loc-key"]?.string ?? ""
        body = alert["body"]?.string ?? alert["loc-key"]?.string ?? ""
        launchImageName = alert["launch-image"]?.string ?? ""
    }

    fileprivate mutating func readDetails(_ aps: JSONObject) {
        threadIdentifier = aps["thread-id"]?.string ?? ""
        categoryIdentifier = aps["category"]?.string ?? ""
        targetContentIdentifier = aps["target-content-id"]?.string
        filterCriteria = aps["filter-criteria"]?.string
        relevanceScore = aps["relevance-score"]?.double ?? 0
        let levels = ["passive", "active", "time-sensitive", "critical"]
        interruptionLevel = aps["interruption-level"]?.string.flatMap(levels.firstIndex).map { UInt($0) } ?? 1
    }
}

extension SoundRecord {
    fileprivate init?(json: JSONValue?) {
        guard let name = json?.string ?? json?.object?["name"]?.string, !name.isEmpty else { return nil }
        self.init(name: name == "default" ? nil : name)
    }
}
