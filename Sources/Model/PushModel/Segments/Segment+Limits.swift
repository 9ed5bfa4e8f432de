import Foundation

extension Segment {
    /// The most bytes of a rule, as it is sent.
    package static let ruleBytes = 16_384
    /// The most bytes of a version, of the name of a system, a time zone or a test.
    package static let nameBytes = 256
    /// The most systems that a rule names.
    package static let systemLimit = 100
    /// The most languages that a rule names.
    package static let languageLimit = 100
    /// The most time zones that a rule names.
    package static let zoneLimit = 500

    /// Parses the rule of a new segment, which is evaluated for each push to it.
    ///
    /// - Throws: 1002 if the body is not an object, or a member is missing; 1003 for a bad value, too many, or a rule that no device can
    ///   meet; 1005 for a rule that is too large; 1009 for an unknown key.
    package init(name: String, parsing body: [UInt8]) throws(JPushError) {
        guard body.count <= Self.ruleBytes else {
            throw .tooLarge("The rule has \(body.count) bytes; at most \(Self.ruleBytes) are allowed.")
        }
        let rule: JSONValue
        do { rule = try JSONValue(parsing: body) } catch { throw .missing("The body is not JSON: \(error).") }
        if let object = rule.object { try Self.checkNames(in: object) }
        try self.init(name: name, rule: rule)
        try checkMeaning()
    }

    /// Refuses words that mean nothing, and conditions that contradict each other: the segment would be empty without a reason.
    private func checkMeaning() throws(JPushError) {
        for zone in rule.object?.strings("zone") ?? [] where TimeZone.commonName(of: zone) == nil {
            throw .badValue("'zone' holds '\(zone)'; expected \(TimeZone.expectedName(insteadOf: zone)).")
        }
        for member in ["from", "to"] {
            guard let version = rule.object?["app_version"]?.object?[member]?.string, !Versions.isLimit(version) else {
                continue
            }
            throw .badValue(
                "'app_version.\(member)' is '\(version)'; expected numbers with dots between them, such as 2.0."
            )
        }
        guard appVersions?.isEmpty != true else {
            throw .badValue("'app_version.from' is later than 'app_version.to', so that no version is between them.")
        }
        if let seen = seenWithinDays, let unseen = unseenForDays, unseen >= seen {
            throw .badValue(
                """
                'seen_within_days' is \(seen) and 'unseen_for_days' is \(unseen), so that no device is in the segment; expected \
                fewer days in 'unseen_for_days'.
                """
            )
        }
        if systems.contains("") { throw .badValue("'system' holds an empty text; expected a system such as iOS 17.") }
        for (name, values) in attributes where values.contains(ExactText("")) {
            throw .badValue("'attributes.\(name)' holds an empty text, which is no value of an attribute.")
        }
        guard case .filter(let filter) = audience else { return }
        let excluded = Set(exactly: filter.tagsNot)
        let isAnyLeft = filter.tags.isEmpty || !excluded.isSuperset(of: Set(exactly: filter.tags))
        guard isAnyLeft, excluded.isDisjoint(with: Set(exactly: filter.tagsAnd)) else {
            throw .badValue(
                "'audience.tag_not' excludes the tags that 'audience' asks for, so that no device is in the segment."
            )
        }
    }

    private static func checkNames(in rule: JSONObject) throws(JPushError) {
        try check(rule["system"]?.array ?? [], "system", limit: systemLimit, bytes: nameBytes)
        try check(rule["zone"]?.array ?? [], "zone", limit: zoneLimit, bytes: nameBytes)
        try check(rule["language"]?.array ?? [], "language", limit: languageLimit, bytes: LanguageTag.bytes)
        for (key, member) in [("app_version", "from"), ("app_version", "to"), ("share", "test")] {
            guard let value = rule[key]?.object?[member] else { continue }
            try check([value], "\(key).\(member)", limit: 1, bytes: nameBytes)
        }
        for member in rule["attributes"]?.object?.members ?? [] {
            let values = member.value.array ?? []
            // The form of the attributes has the limit on their number.
            try check(values, "attributes.\(member.key)", limit: values.count, bytes: AttributeEdit.valueBytes)
        }
    }

    private static func check(
        _ values: [JSONValue],
        _ path: String,
        limit: Int,
        bytes: Int
    ) throws(JPushError) {
        guard values.count <= limit else {
            throw .badValue("'\(path)' has \(values.count) members; at most \(limit) are allowed.")
        }
        if let longest = values.lazy.compactMap(\.string?.utf8.count).max(), longest > bytes {
            throw .badValue("'\(path)' has a text of \(longest) bytes; at most \(bytes) are allowed.")
        }
    }
}
