extension PushReader {
    static let liveActivityKeys = [
        "event", "content-state", "attributes-type", "attributes", "alert", "dismissal-date", "stale-date",
        "relevance-score",
        "apns-priority",
    ]
    static let liveActivityAlertKeys = ["title", "body", "sound", "alternate_title", "alternate_body"]
    private static let path = "live_activity.ios"

    /// The members of `live_activity.ios`.
    var liveActivityMembers: JSONObject? { rare["live_activity"]?.object?["ios"]?.object }

    func checkRequiredLiveActivityKeys() throws(JPushError) {
        guard let live = rare["live_activity"]?.object else { return }
        guard let ios = live["ios"] else { throw .missing("Missing parameter 'live_activity.ios'.") }
        guard let members = ios.object else { return }
        for key in ["event", "content-state"] where members[key] == nil {
            throw .missing("Missing parameter '\(Self.path).\(key)'.")
        }
        if members["event"] == .string("start"), members["attributes-type"] == nil {
            throw .missing("Missing parameter '\(Self.path).attributes-type', which a start requires.")
        }
    }

    /// Reads the event of a push to Live Activities; nil for any other push.
    func liveActivity(for platforms: Set<Platform>) throws(JPushError) -> LiveActivityPush? {
        guard let value = rare["live_activity"] else { return nil }
        guard target == nil else {
            throw .badValue("'live_activity' does not go with a batch; send it with POST /v3/push.")
        }
        for other in ["notification", "message", "inapp_message"] where object[other] != nil {
            throw .badValue("'live_activity' stands alone; leave '\(other)' out.")
        }
        guard value.object != nil else { throw wrongKind("live_activity", value, expected: "an object") }
        guard let members = liveActivityMembers else {
            throw wrongKind(Self.path, value.object?["ios"] ?? .null, expected: "an object")
        }
        guard platforms.contains(.ios) else {
            throw .badValue("'live_activity' is for iOS; expected 'ios' or \"all\" in 'platform'.")
        }
        return try liveActivity(members)
    }

    private func liveActivity(_ members: JSONObject) throws(JPushError) -> LiveActivityPush {
        let name = members["event"] ?? .null
        guard let event = name.string.flatMap(LiveActivityPush.Event.init(rawValue:)) else {
            throw .badValue("'\(Self.path).event' is \(name.text.prefix(40)); expected start, update or end.")
        }
        guard let state = try member("content-state", in: members) else {
            throw .missing("Missing parameter '\(Self.path).content-state'.")
        }
        var push = LiveActivityPush(event: event, contentState: state)
        if let value = members["attributes-type"] {
            guard let type = value.string, !type.isEmpty, !type.hasNUL else {
                throw wrongKind("\(Self.path).attributes-type", value, expected: "a non-empty string without U+0000")
            }
            push.attributesType = type
        }
        push.attributes = try member("attributes", in: members)
        push.alert = try liveActivityAlert(in: members)
        push.dismissalDate = try seconds("dismissal-date", in: members)
        push.staleDate = try seconds("stale-date", in: members)
        if let value = members["relevance-score"] {
            let number = value.string == nil ? value : .orNull(value.jpushInteger)
            guard let score = number.double, (1...100).contains(score) else {
                throw .badValue("'\(Self.path).relevance-score' is \(value.text.prefix(40)); expected 1 to 100.")
            }
            push.relevanceScore = number
        }
        if let value = members["apns-priority"] {
            guard let priority = value.jpushInteger, [5, 10].contains(priority) else {
                throw .badValue("'\(Self.path).apns-priority' is \(value.text.prefix(40)); expected 5 or 10.")
            }
            push.priority = Int(priority)
        }
        return push
    }

    private func member(_ key: String, in members: JSONObject) throws(JPushError) -> JSONObject? {
        try object(members[key], at: "\(Self.path).\(key)")
    }

    private func seconds(_ key: String, in members: JSONObject) throws(JPushError) -> Int64? {
        guard let value = members[key] else { return nil }
        guard let seconds = value.jpushInteger, seconds >= 0 else {
            throw .badValue("'\(Self.path).\(key)' is \(value.text.prefix(40)); expected seconds since 1970.")
        }
        return seconds
    }

    private func liveActivityAlert(in members: JSONObject) throws(JPushError) -> JSONObject? {
        guard let alert = try member("alert", in: members) else { return nil }
        for (key, value) in alert.members.map({ ($0.key, $0.value) })
        where Self.liveActivityAlertKeys.contains(key) && value.string == nil {
            throw wrongKind("\(Self.path).alert.\(key)", value, expected: "a string")
        }
        var sent = alert
        // Both are for other channels of the original service.
        for key in ["alternate_title", "alternate_body"] { sent[key] = nil }
        return sent.isEmpty ? nil : sent
    }

    /// The id of the Live Activities that a push is for: `audience.live_activity_id`.
    ///
    /// - Throws: 1003 if it does not fit the event, or stands beside other keys.
    func liveActivityID(for push: LiveActivityPush?) throws(JPushError) -> String? {
        let members = audienceValue?.object
        guard let value = members?["live_activity_id"] else {
            guard let push, push.event != .start else { return nil }
            throw .badValue(
                """
                'audience' of an event '\(push.event.rawValue)' must be {"live_activity_id":"…"}, the id under which the app \
                has registered its activity.
                """
            )
        }
        guard push != nil else {
            throw .badValue("'audience.live_activity_id' goes with 'live_activity'; use another audience.")
        }
        guard members?.members.count == 1 else {
            throw .badValue("'audience.live_activity_id' stands alone; leave the other keys of 'audience' out.")
        }
        guard let id = value.string, !id.isEmpty, !id.hasNUL else {
            throw wrongKind("audience.live_activity_id", value, expected: "a non-empty string without U+0000")
        }
        return id
    }

    func checkLiveActivitySize() throws(JPushError) {
        guard let bytes = rare["live_activity"]?.object?["ios"]?.byteCount, bytes > JPushLimits.iosBytes else { return }
        throw .tooLarge("'\(Self.path)' has \(bytes) bytes; at most \(JPushLimits.iosBytes) are allowed.")
    }
}
