/// The review of a payload by the rules of its push type, as a device reads it: one place for the sentences of `posthorn send`, of the
/// gateway's records and of the emulated phone.
///
/// Sources: Apple, "Generating a remote notification", "Sending notification requests to APNs", "Starting and updating Live Activities
/// with ActivityKit push notifications", "Updating widgets with WidgetKit push notifications" and "Updating controls locally and
/// remotely", read November 2026.
package struct PayloadReview {
    /// Seconds since 1970 in the year 5138: a larger number is meant as milliseconds.
    package static let earliestMilliseconds: Int64 = 100_000_000_000

    private let aps: JSONObject
    private let beside: JSONObject
    private let pushType: APNSPushType?

    /// Reviews a payload as it is sent.
    ///
    /// - Parameters:
    ///   - payload: the bytes.
    ///   - pushType: nil for a push to an app's own topic without a type.
    /// - Returns: a sentence for each part that a device ignores, drops or does not understand.
    package static func remarks(on payload: [UInt8], of pushType: APNSPushType?) -> [String] {
        let value: JSONValue
        do { value = try JSONValue(parsing: payload) } catch { return ["The payload is not JSON: \(error)."] }
        guard let object = value.object else { return ["The payload is \(value.kind); expected an object."] }
        if pushType == .mdm, object["mdm"] == nil {
            return ["A push of type 'mdm' has no 'mdm', the push magic of the device."]
        }
        if let pushType, readElsewhere.contains(pushType) { return [] }
        guard let aps = object["aps"] else {
            if let pushType, needingAPS.contains(pushType) { return ["There is no 'aps', which this push type needs."] }
            return ["There is no 'aps', so the system shows and wakes nothing."]
        }
        guard let keys = aps.object else { return ["'aps' is \(aps.kind); expected an object."] }
        // What is null is read as missing.
        let present = JSONObject(distinct: keys.members.filter { $0.value != .null })
        let review = PayloadReview(aps: present, beside: object, pushType: pushType)
        return review.misplacedKeys + review.wrongValues + review.purpose
    }

    /// The types whose payload the app's code or device management reads, and nothing else.
    private static let readElsewhere: Set<APNSPushType> = [
        .mdm, .voip, .complication, .fileprovider, .location, .pushtotalk, .accessory, .nowplaying,
    ]
    private static let needingAPS: Set<APNSPushType> = [.liveactivity, .widgets, .controls]

    /// The keys of `aps` that a Live Activity's push needs for an event.
    package static func liveActivityKeys(of event: String?) -> [String] {
        let keys = ["timestamp", "event"]
        return switch event {
        case "start": keys + ["content-state", "attributes-type", "attributes", "alert"]
        case "update": keys + ["content-state"]
        default: keys
        }
    }

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
        static let badge = Kind("a whole number, 0 or more") { $0.integer.map { $0 >= 0 } == true }
        static let flag = Kind("the number 1") { $0.double == 1 || $0.double == 0 }
        static let boolean = Kind("true or false") { $0.bool != nil }
        static let object = Kind("an object") { $0.object != nil }
        static let strings = Kind("an array of strings") { $0.array?.allSatisfy { $0.string != nil } == true }
        static let alert = Kind("a string or an object") { $0.string != nil || $0.object != nil }
        static let sound = Kind("a string, or an object with 'name'") {
            $0.string != nil || $0.object?["name"]?.string != nil
        }
    }

    private static let kinds: [String: Kind] = [
        "alert": .alert, "badge": .badge, "sound": .sound, "thread-id": .string, "category": .string,
        "content-available": .flag, "mutable-content": .flag, "target-content-id": .string,
        "interruption-level": .string, "relevance-score": .number, "filter-criteria": .string, "timestamp": .number,
        "event": .string, "content-state": .object, "stale-date": .number, "dismissal-date": .number,
        "attributes-type": .string, "attributes": .object, "input-push-token": .flag, "input-push-channel": .string,
        "content-changed": .boolean, "url-args": .strings, "summary-arg": .string, "summary-arg-count": .number,
    ]

    /// Known keys, indexed without case, hyphens and underscores.
    private static let spellings = Dictionary(uniqueKeysWithValues: kinds.keys.map { (folded($0), $0) })

    private static func folded(_ key: String) -> String { key.lowercased().filter { $0 != "-" && $0 != "_" } }

    /// Remarks on keys that are misspelled, or outside `aps`.
    private var misplacedKeys: [String] {
        let misspelled = aps.keys.compactMap { key -> String? in
            guard Self.kinds[key] == nil else { return nil }
            let meant = key == "target-content-identifier" ? "target-content-id" : Self.spellings[Self.folded(key)]
            return meant.map { "'aps.\(key)' means nothing; expected '\($0)'." }
        }
        let outside = [
            "alert", "badge", "sound", "content-available", "mutable-content", "category", "thread-id",
            "interruption-level", "relevance-score", "target-content-id", "filter-criteria",
        ].filter { beside[$0] != nil && aps[$0] == nil }
        return misspelled + outside.map { "'\($0)' stands beside 'aps'; the system reads it inside." } + ofOtherObject
    }

    /// Remarks on keys of the alert outside it, and the reverse. A Live Activity's sound is a key of the alert.
    private var ofOtherObject: [String] {
        let outside = aps.keys.filter { Self.alertKinds[$0] != nil && Self.kinds[$0] == nil }
        let inside = (aps["alert"]?.object?.keys ?? []).filter {
            Self.kinds[$0] != nil && Self.alertKinds[$0] == nil && !(pushType == .liveactivity && $0 == "sound")
        }
        return outside.map { "'aps.\($0)' means nothing there; the system reads it in 'aps.alert'." }
            + inside.map { "'aps.alert.\($0)' means nothing there; the system reads it in 'aps'." }
    }

    /// Advice on a push with an `aps` that the system reads, beside ``remarks(on:of:)``: keys that Apple does not document, and a wake beside
    /// an alert.
    package static func notes(on payload: [UInt8], of pushType: APNSPushType?) -> [String] {
        guard pushType.map({ !readElsewhere.contains($0) }) ?? true,
            let aps = (try? JSONValue(parsing: payload))?.object?["aps"]?.object
        else { return [] }
        func isUnknown(_ key: String) -> Bool { spellings[folded(key)] == nil && alertKinds[key] == nil }
        var notes = aps.keys.filter(isUnknown).map { "'aps.\($0)' is not a key that Apple documents." }
        notes += (aps["alert"]?.object?.keys ?? []).filter(isUnknown)
            .map { "'aps.alert.\($0)' is not a key that Apple documents." }
        if aps["alert"] != nil, aps["content-available"]?.isOn == true, pushType != .liveactivity {
            notes.append(
                "'content-available' beside an alert also wakes the app, which is called before the user does anything."
            )
        }
        return notes
    }

    private static let alertKinds: [String: Kind] = [
        "title": .string, "subtitle": .string, "body": .string, "launch-image": .string, "title-loc-key": .string,
        "title-loc-args": .strings, "subtitle-loc-key": .string, "subtitle-loc-args": .strings, "loc-key": .string,
        "loc-args": .strings, "action-loc-key": .string, "action": .string, "summary-arg": .string,
        "summary-arg-count": .number,
    ]

    /// Returns whether Apple documents a member of an alert.
    static func isAlertKey(_ key: String) -> Bool { alertKinds[key] != nil }

    private static let soundKinds: [String: Kind] = ["critical": .flag, "volume": .number]

    private var wrongValues: [String] {
        func wrong(_ object: JSONObject?, at path: String, _ kinds: [String: Kind]) -> [String] {
            (object?.members ?? []).compactMap { member in
                guard let kind = kinds[member.key], !kind.takes(member.value) else { return nil }
                return "'\(path).\(member.key)' is \(shown(member.value)); expected \(kind.words)."
            }
        }
        // A text of a Live Activity's alert may be an object.
        let alert = aps["alert"]?.object?.withoutNulls.without(pushType == .liveactivity ? ["title", "body"] : [])
        var remarks =
            wrong(aps, at: "aps", Self.kinds) + wrong(alert, at: "aps.alert", Self.alertKinds)
            + wrong(aps["sound"]?.object, at: "aps.sound", Self.soundKinds)
        if let level = aps["interruption-level"]?.string, !Self.levels.contains(level) {
            let expected = Self.levels.joined(separator: ", ")
            remarks.append("'aps.interruption-level' is '\(level)', taken for 'active'; expected one of \(expected).")
        }
        if let volume = aps["sound"]?.object?["volume"]?.double, !(0...1).contains(volume) {
            remarks.append("'aps.sound.volume' is \(volume); expected a number from 0 to 1.")
        }
        if let score = aps["relevance-score"]?.double, pushType != .liveactivity, !(0...1).contains(score) {
            remarks.append("'aps.relevance-score' is \(score); expected a number from 0 to 1.")
        }
        for key in ["timestamp", "stale-date", "dismissal-date"] {
            guard let date = aps[key]?.double, date >= Double(Self.earliestMilliseconds) else { continue }
            remarks.append("'aps.\(key)' is in milliseconds; expected seconds since 1970.")
        }
        return remarks
    }

    private static let levels = ["passive", "active", "time-sensitive", "critical"]

    private func shown(_ value: JSONValue) -> String {
        switch value {
        case .integer, .double, .decimal, .bool, .null: value.text
        case .string(let text): "the string '\(text)'"
        // Which element is meant.
        case .array: String(value.text.prefix(80))
        case .object: value.kind
        }
    }

    /// Remarks on a payload that does not match its push type.
    private var purpose: [String] {
        let perceived = ["alert", "badge", "sound"].filter { aps[$0] != nil }
        var remarks: [String] = []
        switch pushType {
        case .background:
            if !perceived.isEmpty {
                remarks.append(
                    "A background push has \(Self.list(perceived)), which the user perceives; expected type 'alert'."
                )
            }
            if isOff("content-available") {
                remarks.append("A background push wakes the app with 'content-available': 1, which is missing.")
            }
        case .alert:
            if !hasText, aps["badge"] == nil, aps["sound"] == nil {
                let expected = isOff("content-available") ? "alert, badge or sound" : "type 'background'"
                remarks.append("A push of type 'alert' has nothing to perceive; expected \(expected).")
            }
        case .widgets, .controls:
            if aps["content-changed"]?.bool != true {
                remarks.append("It reloads nothing without 'aps.content-changed': true.")
            }
            if !perceived.isEmpty { remarks.append(unused(perceived)) }
        case .liveactivity: remarks += liveActivity
        default: break
        }
        if !isOff("mutable-content"), aps["alert"] == nil {
            remarks.append("'mutable-content' starts the service extension only with an 'alert', which is missing.")
        }
        return remarks
    }

    /// Whether a flag is missing or 0.
    private func isOff(_ key: String) -> Bool { aps[key].map { $0.double == 0 } ?? true }

    /// Whether the alert has a text, without which it shows nothing.
    private var hasText: Bool {
        let keys = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
        let texts = aps["alert"]?.object.map { alert in keys.map { alert[$0] } } ?? [aps["alert"]]
        return texts.contains { $0.map { $0 != "" && $0 != .null } ?? false }
    }

    private var liveActivity: [String] {
        let event = aps["event"]?.string
        var remarks = Self.liveActivityKeys(of: event).filter { aps[$0] == nil }
            .map { "A Live Activity's push has no 'aps.\($0)'." }
        if let event, !["start", "update", "end"].contains(event) {
            remarks.append("'aps.event' is '\(event)'; expected start, update or end.")
        }
        if aps["sound"] != nil {
            remarks.append("'aps.sound' stands beside 'alert'; a Live Activity's sound is 'aps.alert.sound'.")
        }
        if aps["badge"] != nil { remarks.append(unused(["badge"])) }
        return remarks
    }

    private func unused(_ keys: [String]) -> String {
        "The system shows nothing of \(Self.list(keys)) in a push of type '\(pushType?.rawValue ?? "")'."
    }

    private static func list(_ keys: [String]) -> String { keys.map { "'\($0)'" }.joined(separator: ", ") }
}

extension JSONValue {
    /// Whether a flag of a payload is set: with 1, as Apple writes it, or with true.
    package var isOn: Bool { double == 1 || bool == true }
}
