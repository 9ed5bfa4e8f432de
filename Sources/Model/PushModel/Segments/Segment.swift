import Foundation

/// A saved audience with a name, which `audience.segment` and `audience.abtest` of a push refer to. An extension of Posthorn: JPush's
/// console has them, its API only their names.
///
/// The devices are those of the audience that meet all conditions at the time of the push. The JSON form is
/// `{"audience":{"tag":["news"]},"app_version":{"from":"2.0"},"system":["iOS 17"],"zone":["Asia/Shanghai"],"language":["zh"],
/// "registered_within_days":7,"seen_within_days":30,"unseen_for_days":7,"push_state":["reachable"],
/// "attributes":{"plan":["pro","team"]},"share":{"test":"autumn","from":0,"to":50}}`, in which every member is optional.
package struct Segment: Hashable, Sendable {
    /// The condition of a device for a notification.
    package enum PushState: String, CaseIterable, Sendable {
        /// A token that APNs has not refused, with push switched on.
        case reachable
        case withoutToken = "without_token"
        case refused
        case off = "push_off"
    }

    /// Inclusive limits of an app's version; nil for none.
    package struct Versions: Hashable, Sendable {
        private let from: [UInt64]?
        private let to: [UInt64]?

        package init(from: String? = nil, to: String? = nil) {
            self.from = from.map(Self.numbers(of:))
            self.to = to.map(Self.numbers(of:))
        }

        /// Whether no version is within the limits.
        var isEmpty: Bool {
            guard let from, let to else { return false }
            return to.lexicographicallyPrecedes(from)
        }

        /// Returns whether a text can be a limit: numbers with dots between them.
        static func isLimit(_ version: String) -> Bool {
            let parts = version.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
        }

        /// Returns whether the version is within the limits. Versions are compared number by number: 1.10 is later than 1.9. A text that
        /// begins with no number is within none.
        package func contains(_ version: String) -> Bool {
            guard version.utf8.first?.isDigit == true else { return false }
            let place = Self.numbers(of: version)
            if let from, place.lexicographicallyPrecedes(from) { return false }
            if let to, to.lexicographicallyPrecedes(place) { return false }
            return true
        }

        private static func numbers(of version: String) -> [UInt64] {
            var numbers = version.utf8.split(separator: UInt8(ascii: ".")).map { part in
                let number = part.prefix(while: \.isDigit)
                return UInt64(Substring(number)) ?? (number.isEmpty ? 0 : .max)
            }
            while numbers.last == 0 { numbers.removeLast() }
            return numbers
        }
    }

    /// A group of an A/B test: some percent of all devices, chosen by a hash of the device and the test.
    ///
    /// The same device is always at the same place of a test, so the groups of a test that do not overlap have no device in common.
    package struct Share: Hashable, Sendable {
        package let test: String
        /// The range in percent, of which the upper bound is excluded.
        package let percent: Range<Int>
        private let seed: UInt64

        package init(test: String, percent: Range<Int>) {
            self.test = test
            self.percent = percent
            // FNV-1a, which is the same in every process.
            seed = test.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }

        package func contains(_ ordinal: UInt32) -> Bool {
            var numbers = SplitMix(seed: seed ^ UInt64(ordinal) << 32)
            return percent.contains(Int(numbers.next().multipliedFullWidth(by: 100).high))
        }
    }

    @Exact package private(set) var name: String
    /// The JSON form.
    package let rule: JSONValue
    package private(set) var audience = Audience.all
    package private(set) var appVersions: Versions?
    /// Systems, with any part of their versions, such as `iOS 17`; empty for all.
    package private(set) var systems: [String] = []
    /// The common names of time zones (``TimeZone/commonName(of:)``); empty for all.
    private var zones: Set<String> = []
    /// Languages with all their forms; empty for all.
    private var languages: [LanguageTag] = []
    package private(set) var registeredWithinDays: Int?
    package private(set) var seenWithinDays: Int?
    package private(set) var unseenForDays: Int?
    /// Empty for all.
    package private(set) var pushStates: Set<PushState> = []
    /// The values of attributes, of which a device must have one of each; empty for all.
    package private(set) var attributes: [String: Set<ExactText>] = [:]
    package private(set) var share: Share?

    /// Creates a segment from its JSON form, of any size: the limits of a new one are those of ``init(name:parsing:)``.
    ///
    /// - Throws: 1002 if the rule is not an object, or a member is missing; 1003 for a bad value; 1009 for an unknown key.
    package init(name: String, rule: JSONValue) throws(JPushError) {
        guard JPushLimits.isTag(name) else {
            throw .badValue("'\(name)' is not the name of a segment; expected the characters of a tag.")
        }
        guard let object = rule.object?.withoutNulls else {
            throw .missing("The rule of a segment is \(rule.kind); expected an object.")
        }
        self.rule = .object(object)
        self.name = name
        // Without targets it is no condition, as any other empty member.
        if let audience = object["audience"], audience.object?.isEmpty != true {
            self.audience = try Self.audience(in: object)
        }
        do throws(JSONProblem) { try readConditions(of: JSONReader(object)) } catch { throw JPushError(error) }
    }

    /// Returns whether a device's system is one of ``systems``: `iOS 17` includes `iOS 17.4`, not `iOS 170`.
    package func includes(system: String) -> Bool {
        systems.contains { prefix in
            guard system.utf8.starts(with: prefix.utf8) else { return false }
            return system.utf8.dropFirst(prefix.utf8.count).first.map { ". ".utf8.contains($0) } ?? true
        }
    }

    /// Whether the segment is for certain time zones only.
    package var hasZones: Bool { !zones.isEmpty }

    /// Returns whether a device's time zone is meant, by whichever of its names.
    package func includes(zone: String) -> Bool { zones.contains(Self.commonZone(zone)) }

    /// A name that is no zone, in a rule of an earlier version, stays as it is.
    /// Whether the segment is for certain languages only.
    package var hasLanguages: Bool { !languages.isEmpty }

    /// Returns whether a device's language is meant, in any of its forms: `zh` includes `zh-Hant-HK`.
    package func includes(language: String) -> Bool {
        LanguageTag(language).map { tag in languages.contains { $0.contains(tag) } } ?? false
    }

    private static func commonZone(_ name: String) -> String { TimeZone.commonName(of: name) ?? name }

    private static func audience(in object: JSONObject) throws(JPushError) -> Audience {
        let reader = PushReader(object)
        _ = try reader.fileID(.refused)
        let audience = try reader.audience()
        try reader.checkUnknownAudienceKeys()
        guard case .filter(let filter) = audience else { return audience }
        guard filter.segments.isEmpty, filter.registrationIDs.isEmpty else {
            throw .badValue("The audience of a segment names tags and aliases, not registration ids or other segments.")
        }
        return audience
    }

    private mutating func readConditions(of members: JSONReader) throws(JSONProblem) {
        if let value = members["app_version"] {
            let limits = try JSONReader(value, at: "app_version")
            let from = try limits.optional("from", .text)
            let to = try limits.optional("to", .text)
            if from != nil || to != nil { appVersions = Versions(from: from, to: to) }
            try limits.refuseKeys(besides: ["from", "to"])
        }
        zones = Set((try members.optional("zone", .strings) ?? []).map(Self.commonZone))
        systems = try members.optional("system", .strings) ?? []
        for (place, text) in (try members.optional("language", .strings) ?? []).enumerated() {
            guard let language = LanguageTag(text) else {
                let expected = "a BCP 47 tag such as zh-Hans or en"
                throw members.problem("language[\(place)]", found: .string(text), expected: expected)
            }
            languages.append(language)
        }
        registeredWithinDays = try members.optional("registered_within_days", .integer(in: 1...10_000))
        seenWithinDays = try members.optional("seen_within_days", .integer(in: 1...10_000))
        unseenForDays = try members.optional("unseen_for_days", .integer(in: 1...10_000))
        let states = JSONForm<[PushState]>.array("an array of the words of a push state") { value in
            value.string.flatMap(PushState.init(rawValue:))
        }
        pushStates = Set(try members.optional("push_state", states) ?? [])
        if let value = members["attributes"] { attributes = try Self.attributes(JSONReader(value, at: "attributes")) }
        if let value = members["share"] {
            let share = try JSONReader(value, at: "share")
            let from = try share.need("from", .integer(in: 0...99))
            let to = try share.need("to", .integer(in: Int64(from + 1)...100))
            self.share = Share(test: try share.need("test", .text), percent: from..<to)
            try share.refuseKeys(besides: ["test", "from", "to"])
        }
        try members.refuseKeys(
            besides: [
                "audience", "app_version", "system", "zone", "language", "registered_within_days", "seen_within_days",
                "unseen_for_days", "push_state", "attributes", "share",
            ]
        )
    }

    private static func attributes(_ members: JSONReader) throws(JSONProblem) -> [String: Set<ExactText>] {
        let limit = AttributeEdit.limit
        let values = JSONForm<[String]>("an array of 1 to \(limit) strings, under the name of an attribute") { value in
            JSONForm<[String]>.strings.convert(value).flatMap { (1...limit).contains($0.count) ? $0 : nil }
        }
        var attributes: [String: Set<ExactText>] = [:]
        for member in members.object.members {
            guard AttributeEdit.isName(member.key), attributes.count < limit else {
                throw members.problem(member.key, found: member.value, expected: "up to \(limit) names of attributes")
            }
            attributes[member.key] = Set(exactly: try members.need(member.key, values))
        }
        return attributes
    }
}
