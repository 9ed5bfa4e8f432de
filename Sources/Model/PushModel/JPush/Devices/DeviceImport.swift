import Foundation

/// A device in an import file: `posthorn import` reads it, and the service imports it.
///
/// The format is our choice: no source describes such a file.
package struct DeviceImport: Hashable, Sendable {
    /// The id from the previous service; nil if the service is to choose one.
    package var registrationID: RegistrationID?
    package var token: DeviceToken
    /// The environment; nil for the file's default.
    package var environment: APNSEnvironment?
    package var alias = DeviceChange.Setting.unchanged
    /// The sorted tags; nil leaves the tags of a known device unchanged.
    package var tags: [String]?
    /// Nil leaves the attributes of a known device unchanged.
    package var attributes: AttributeEdit?
    /// The texts of ``Field/facts``; those that are missing leave what is known of the device unchanged.
    package var facts: [Field: String] = [:]

    package init(registrationID: RegistrationID? = nil, token: DeviceToken, environment: APNSEnvironment? = nil) {
        self.registrationID = registrationID
        self.token = token
        self.environment = environment
    }

    /// The alias that the row sets; nil if it sets none.
    package var newAlias: String? {
        guard case .set(let alias) = alias else { return nil }
        return alias
    }

    /// A field of a device, by its name in JSON and in the header of a CSV file.
    package enum Field: String, CaseIterable, Sendable {
        case registrationID = "registration_id"
        case token
        case environment
        case alias
        case tags
        case attributes
        case zone
        case language
        case appVersion = "app_version"
        case system

        /// The fields that apps report, until the device's own app does.
        package static let facts: [Self] = [.zone, .language, .appVersion, .system]

        /// Parses a header name, ignoring case, spaces, hyphens and underscores; `device_token` is `token`.
        package init?(header: some StringProtocol) {
            // Several names, with separators other than the file was read with.
            guard !header.contains(where: { ";\t|".contains($0) }) else { return nil }
            let letters = header.lowercased().filter { $0.isLetter || $0.isNumber }
            let known = Self.allCases.first { $0.rawValue.filter(\.isLetter) == letters }
            guard let field = known ?? (letters == "devicetoken" ? .token : nil) else { return nil }
            self = field
        }
    }

    /// The error of one row.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String

        package init(_ description: String) { self.description = description }

        init(_ field: Field, found: String, expected: String) {
            description = "'\(field.rawValue)' is '\(found.prefix(80))'; expected \(expected)."
        }
    }

    /// Parses an object with the keys of ``Field``; others are ignored.
    ///
    /// An empty string equals a missing one, except that it clears the alias and the tags. A whole number stands for its digits, except
    /// as the token. `tags` is read by ``tagTexts(_:)``.
    ///
    /// - Throws: the first error.
    package init(_ object: JSONObject) throws(Problem) {
        guard let token = try Self.text(.token, object), !token.isEmpty else {
            throw Problem("'token' is missing; expected the device token in hexadecimal digits.")
        }
        guard let token = DeviceToken(written: token) else {
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
        attributes = try Self.attributes(object[Field.attributes.rawValue])
        for field in Field.facts {
            guard let text = try Self.text(field, object), !text.isEmpty else { continue }
            guard Self.isFact(text) else {
                throw Problem(field, found: text, expected: "at most 256 bytes without the character U+0000")
            }
            facts[field] = text
        }
    }

    private static func text(_ field: Field, _ object: JSONObject) throws(Problem) -> String? {
        guard let value = object[field.rawValue], value != .null else { return nil }
        guard let text = field == .token ? value.string : value.stringOrDigits else {
            throw Problem(field, found: value.text, expected: "a text")
        }
        return text
    }

    /// Reads an object, or the text of one in a CSV file.
    static func attributes(_ value: JSONValue?) throws(Problem) -> AttributeEdit? {
        guard let value, value != .null, value != "" else { return nil }
        do {
            let edit = try AttributeEdit(value.string.flatMap { try? JSONValue(parsing: $0) } ?? value)
            _ = try edit.attributes(after: [:])
            return edit
        } catch { throw Problem(error.message) }
    }

    static func isFact(_ text: String) -> Bool { text.utf8.count <= 256 && !text.hasNUL }

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
        var tags: Set<ExactText> = []
        for text in try tagTexts(value) { tags.insert(ExactText(try name(text, .tags))) }
        guard tags.count <= JPushLimits.tagsPerDevice else {
            throw Problem("'tags' has \(tags.count) members; at most \(JPushLimits.tagsPerDevice) are allowed.")
        }
        return tags.texts
    }

    /// Returns the members of an array, which may be the text of one in JSON, or of a text: separated by commas or semicolons, also in
    /// braces or brackets and with quotation marks, as databases and programs write a list.
    ///
    /// None of these characters is allowed in a tag, so a member that still has one is refused later.
    ///
    /// - Throws: if the value or a member is neither a text nor a whole number.
    package static func tagTexts(_ value: JSONValue) throws(Problem) -> [String] {
        let text = value.stringOrDigits?.trimmingCharacters(in: .whitespacesAndNewlines)
        let written = text.flatMap { $0.hasPrefix("[") ? (try? JSONValue(parsing: $0))?.array : nil }
        if let members = value.array ?? written {
            var texts: [String] = []
            for member in members where member != .null {
                guard let text = member.stringOrDigits else {
                    throw Problem(.tags, found: member.text, expected: "texts")
                }
                texts.append(text)
            }
            return texts
        }
        guard let text else {
            throw Problem(.tags, found: value.text, expected: "an array, or a text with commas between the tags")
        }
        let list = text.between("{", "}") ?? text.between("[", "]")
        return (list ?? text).unicodeScalars.split { $0 == "," || $0 == ";" }.compactMap { part in
            let member = String(part).trimmingCharacters(in: .whitespacesAndNewlines)
            // PostgreSQL writes a missing member without quotation marks.
            let isMissing = member.isEmpty || member == "NULL" && list != nil
            return isMissing ? nil : member.between("\"", "\"") ?? member.between("'", "'") ?? member
        }
    }

    /// Appends the object that ``init(_:)`` parses, as JSON.
    package func write(to output: inout [UInt8]) {
        output.append(contentsOf: "{\"token\":\"".utf8)
        token.withBytes { octets in for place in octets.indices { output.appendHexadecimal(octets[place]) } }
        output.append(UInt8(ascii: "\""))
        if let registrationID { Self.write(.registrationID, .string(registrationID.text), to: &output) }
        if let environment { Self.write(.environment, .string(environment.rawValue), to: &output) }
        switch alias {
        case .unchanged: break
        case .cleared: Self.write(.alias, "", to: &output)
        case .set(let alias): Self.write(.alias, .string(alias), to: &output)
        }
        if let tags { Self.write(.tags, .strings(tags), to: &output) }
        if let attributes { Self.write(.attributes, attributes.json, to: &output) }
        for field in Field.facts {
            if let text = facts[field] { Self.write(field, .string(text), to: &output) }
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ field: Field, _ value: JSONValue, to output: inout [UInt8]) {
        output.append(contentsOf: [UInt8(ascii: ","), UInt8(ascii: "\"")])
        output.append(contentsOf: field.rawValue.utf8)
        output.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
        value.write(to: &output)
    }
}

extension String {
    /// The text between two marks at its beginning and its end; nil if it has none there.
    fileprivate func between(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> String? {
        let scalars = unicodeScalars
        guard scalars.count > 1, scalars.first == first, scalars.last == last else { return nil }
        return String(scalars.dropFirst().dropLast())
    }
}
