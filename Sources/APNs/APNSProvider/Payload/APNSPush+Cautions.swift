public import PushModel

extension APNSPush {
    /// Warnings about content that APNs accepts but a device may drop, delay or not understand: one sentence each, for a person.
    ///
    /// Reads the whole payload, so it is for tools and tests rather than for every push.
    /// Source: Apple, "Generating a remote notification" and "Sending notification requests to APNs", read October 2026.
    public var cautions: [String] {
        var cautions = headers.cautions
        let value: JSONValue
        do { value = try JSONValue(parsing: payload) } catch {
            return cautions + ["The payload is not JSON: \(error)."]
        }
        guard let object = value.object else { return cautions + ["The payload is \(value.kind); expected an object."] }
        guard let aps = object["aps"] else {
            // PushKit and device management have no need of it.
            let isWithout = [.mdm, .voip].contains(headers.pushType) || object.isEmpty
            return cautions + (isWithout ? [] : ["There is no 'aps', so the system shows and wakes nothing."])
        }
        guard let keys = aps.object else { return cautions + ["'aps' is \(aps.kind); expected an object."] }
        let reader = APSReader(aps: keys, beside: object, pushType: headers.pushType)
        cautions += reader.misplacedKeys + reader.wrongValues + reader.purpose
        if headers.pushType == .liveactivity { cautions += reader.liveActivity }
        return cautions
    }
}

extension APNSHeaders {
    fileprivate var cautions: [String] {
        var cautions: [String] = []
        if let expiration, expiration.rawValue >= APSReader.earliestMilliseconds {
            cautions.append(
                "apns-expiration is \(expiration); expected seconds since 1970, and these look like milliseconds."
            )
        }
        if pushType == .pushtotalk, expiration != .oneAttempt || ![nil, .immediately].contains(priority) {
            cautions.append(
                "A push of type 'pushtotalk' is of use at once or never: expected priority 10 and expiration 0."
            )
        }
        if pushType.topicSuffix == "", let foreign = topic.flatMap(APNSPushType.init(suffixOf:)) {
            cautions.append(
                "The topic ends like those of type '\(foreign.rawValue)', and the push is of type '\(pushType.rawValue)'."
            )
        }
        return cautions
    }
}

/// Reads `aps` as a device does.
private struct APSReader {
    /// Seconds since 1970 in the year 5138: a larger number is meant as milliseconds.
    static let earliestMilliseconds: Int64 = 100_000_000_000

    let aps: JSONObject
    let beside: JSONObject
    let pushType: APNSPushType

    /// The form that a value must have.
    private struct Kind: Sendable {
        let words: String
        let takes: @Sendable (JSONValue) -> Bool

        init(_ words: String, _ takes: @escaping @Sendable (JSONValue) -> Bool) {
            self.words = words
            self.takes = takes
        }

        static let string = Kind("a string") { $0.string != nil }
        static let number = Kind("a number") { $0.double != nil }
        static let one = Kind("the number 1") { $0.double == 1 }
        static let boolean = Kind("true or false") { $0.bool != nil }
        static let object = Kind("an object") { $0.object != nil }
        static let strings = Kind("an array of strings") { $0.array?.allSatisfy { $0.string != nil } == true }
        static let alert = Kind("a string or an object") { $0.string != nil || $0.object != nil }
        static let sound = Kind("a string, or an object with 'name'") {
            $0.string != nil || $0.object?["name"]?.string != nil
        }
    }

    private static let kinds: [String: Kind] = [
        "alert": .alert, "badge": .number, "sound": .sound, "thread-id": .string, "category": .string,
        "content-available": .one, "mutable-content": .one, "target-content-id": .string,
        "interruption-level": .string, "relevance-score": .number, "filter-criteria": .string, "timestamp": .number,
        "event": .string, "content-state": .object, "stale-date": .number, "dismissal-date": .number,
        "attributes-type": .string, "attributes": .object, "input-push-token": .one, "input-push-channel": .string,
        "content-changed": .boolean, "url-args": .strings, "summary-arg": .string, "summary-arg-count": .number,
    ]

    /// Known keys, indexed without case, hyphens and underscores.
    private static let spellings = Dictionary(uniqueKeysWithValues: kinds.keys.map { (folded($0), $0) })

    private static func folded(_ key: String) -> String { key.lowercased().filter { $0 != "-" && $0 != "_" } }

    /// Warnings about keys that are misspelled, or outside `aps`.
    var misplacedKeys: [String] {
        let misspelled = aps.keys.compactMap { key -> String? in
            guard Self.kinds[key] == nil else { return nil }
            let meant = key == "target-content-identifier" ? "target-content-id" : Self.spellings[Self.folded(key)]
            return meant.map { "'aps.\(key)' means nothing; expected '\($0)'." }
        }
        let outside = ["alert", "badge", "sound", "content-available", "mutable-content", "category"].filter {
            beside[$0] != nil && aps[$0] == nil
        }
        return misspelled + outside.map { "'\($0)' stands beside 'aps'; the system reads it inside." }
    }

    var wrongValues: [String] {
        var cautions = aps.members.compactMap { member -> String? in
            guard let kind = Self.kinds[member.key], !kind.takes(member.value) else { return nil }
            return "'aps.\(member.key)' is \(shown(member.value)); expected \(kind.words)."
        }
        if let level = aps["interruption-level"]?.string, !Self.levels.contains(level) {
            let expected = Self.levels.joined(separator: ", ")
            cautions.append("'aps.interruption-level' is '\(level)', taken for 'active'; expected one of \(expected).")
        }
        if let volume = aps["sound"]?.object?["volume"]?.double, !(0...1).contains(volume) {
            cautions.append("'aps.sound.volume' is \(volume); expected a number from 0 to 1.")
        }
        if let score = aps["relevance-score"]?.double, pushType != .liveactivity, !(0...1).contains(score) {
            cautions.append("'aps.relevance-score' is \(score); expected a number from 0 to 1.")
        }
        for key in ["timestamp", "stale-date", "dismissal-date"] {
            guard let date = aps[key]?.double, date >= Double(Self.earliestMilliseconds) else { continue }
            cautions.append("'aps.\(key)' is in milliseconds; expected seconds since 1970.")
        }
        return cautions
    }

    private static let levels = ["passive", "active", "time-sensitive", "critical"]

    private func shown(_ value: JSONValue) -> String {
        switch value {
        case .integer, .double, .decimal, .bool, .null: value.text
        case .string(let text): "the string '\(text)'"
        case .array, .object: value.kind
        }
    }

    /// Warnings about a payload that does not match its push type.
    var purpose: [String] {
        let perceived = ["alert", "badge", "sound"].filter { aps[$0] != nil }
        var cautions: [String] = []
        switch pushType {
        case .background:
            if !perceived.isEmpty {
                let names = perceived.map { "'\($0)'" }.joined(separator: ", ")
                cautions.append("A background push has \(names), which the user perceives; expected type 'alert'.")
            }
            if aps["content-available"] == nil {
                cautions.append("A background push wakes the app with 'content-available': 1, which is missing.")
            }
        case .alert:
            if perceived.isEmpty {
                let expected = aps["content-available"] == nil ? "alert, badge or sound" : "type 'background'"
                cautions.append("A push of type 'alert' has nothing to perceive; expected \(expected).")
            }
        default: break
        }
        if aps["mutable-content"] != nil, aps["alert"] == nil {
            cautions.append("'mutable-content' starts the service extension only with an 'alert', which is missing.")
        }
        return cautions
    }

    var liveActivity: [String] {
        var needed = ["timestamp", "event"]
        var cautions: [String] = []
        switch aps["event"]?.string {
        case "start": needed += ["content-state", "attributes-type", "attributes", "alert"]
        case "update": needed.append("content-state")
        case "end", nil: break
        case let event?: cautions.append("'aps.event' is '\(event)'; expected start, update or end.")
        }
        let missing = needed.filter { aps[$0] == nil }.map { "A Live Activity's push has no 'aps.\($0)'." }
        return missing + cautions
    }
}
