/// A device as a file of devices tells of it: what `posthorn import` reads and the service takes in.
///
/// Our choice: no source describes such a file.
public struct DeviceImport: Hashable, Sendable {
    /// Of whoever served the device before; nil if the service is to choose one.
    public var registrationID: RegistrationID?
    public var token: DeviceToken
    /// Nil stands for that of the whole file.
    public var environment: APNSEnvironment?
    public var alias = DeviceChange.Setting.unchanged
    /// Sorted; nil leaves those of a known device as they are.
    public var tags: [String]?

    public init(registrationID: RegistrationID? = nil, token: DeviceToken, environment: APNSEnvironment? = nil) {
        self.registrationID = registrationID
        self.token = token
        self.environment = environment
    }

    /// What is said of a device, by its name in JSON and in the header of a CSV file.
    public enum Field: String, CaseIterable, Sendable {
        case registrationID = "registration_id"
        case token
        case environment
        case alias
        case tags

        /// Reads a name as people write it: upper case, spaces and hyphens count as little as underscores; `device_token` is `token`.
        public init?(header: some StringProtocol) {
            let letters = header.lowercased().filter { $0.isLetter || $0.isNumber }
            let known = Self.allCases.first { $0.rawValue.filter(\.isLetter) == letters }
            guard let field = known ?? (letters == "devicetoken" ? .token : nil) else { return nil }
            self = field
        }
    }

    /// What is wrong with one row.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String

        public init(_ description: String) { self.description = description }

        init(_ field: Field, found: String, expected: String) {
            description = "'\(field.rawValue)' is '\(found.prefix(80))'; expected \(expected)."
        }
    }

    /// Reads an object whose keys are those of ``Field``; others are passed over. An empty text is the same as a missing
    /// one, but for the alias and the tags, which it clears. `tags` is an array, or a text with commas or semicolons between.
    ///
    /// - Throws: the first thing that is wrong.
    public init(_ object: JSONObject) throws(Problem) {
        guard let token = try Self.text(.token, object), !token.isEmpty else {
            throw Problem("'token' is missing; expected the device token in hexadecimal digits.")
        }
        guard let token = DeviceToken(token) else {
            throw Problem(.token, found: token, expected: "an even number of hexadecimal digits, 64 as a rule")
        }
        self.token = token
        if let id = try Self.text(.registrationID, object), !id.isEmpty {
            guard let id = RegistrationID(id) else {
                throw Problem(.registrationID, found: id, expected: "1 to 64 letters and digits")
            }
            registrationID = id
        }
        if let word = try Self.text(.environment, object), !word.isEmpty {
            guard let environment = APNSEnvironment(rawValue: word.lowercased()) else {
                throw Problem(.environment, found: word, expected: "'production' or 'development'")
            }
            self.environment = environment
        }
        if let alias = try Self.text(.alias, object) {
            self.alias = alias.isEmpty ? .cleared : .set(try Self.name(alias, .alias))
        }
        tags = try Self.tags(object[Field.tags.rawValue])
    }

    private static func text(_ field: Field, _ object: JSONObject) throws(Problem) -> String? {
        guard let value = object[field.rawValue], value != .null else { return nil }
        guard let text = value.string else { throw Problem(field, found: value.text, expected: "a text") }
        return text
    }

    private static func name(_ text: String, _ field: Field) throws(Problem) -> String {
        guard JPushLimits.isTag(text) else {
            let expected =
                "1 to \(JPushLimits.tagBytes) bytes of letters, digits, '_', Chinese characters and @!#$&*+=.|￥"
            throw Problem(field, found: text, expected: expected)
        }
        return text
    }

    private static func tags(_ value: JSONValue?) throws(Problem) -> [String]? {
        guard let value, value != .null else { return nil }
        var tags: Set<String> = []
        if let text = value.string {
            // Neither may stand in a tag.
            for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
                let tag = String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
                if !tag.isEmpty { tags.insert(try name(tag, .tags)) }
            }
        } else if let members = value.array {
            for member in members {
                guard let tag = member.string else { throw Problem(.tags, found: member.text, expected: "texts") }
                tags.insert(try name(tag, .tags))
            }
        } else {
            throw Problem(.tags, found: value.text, expected: "an array, or a text with commas between the tags")
        }
        guard tags.count <= JPushLimits.tagsPerDevice else {
            throw Problem("'tags' has \(tags.count) members; at most \(JPushLimits.tagsPerDevice) are allowed.")
        }
        return tags.sorted()
    }

    /// What ``init(_:)`` reads.
    public var json: JSONValue {
        var object: JSONObject = [:]
        object[Field.registrationID.rawValue] = registrationID.map { .string($0.text) }
        object[Field.token.rawValue] = .string(token.hexadecimal)
        object[Field.environment.rawValue] = environment.map { .string($0.rawValue) }
        switch alias {
        case .unchanged: break
        case .cleared: object[Field.alias.rawValue] = ""
        case .set(let alias): object[Field.alias.rawValue] = .string(alias)
        }
        object[Field.tags.rawValue] = tags.map { .array($0.map { .string($0) }) }
        return .object(object)
    }
}
