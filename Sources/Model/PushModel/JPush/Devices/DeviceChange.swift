/// The changes of `POST /v3/devices/{registration_id}`; fields missing from the body stay unchanged.
///
/// Source: JPush REST API v3, "Device API", "Set a device's tags, alias and mobile".
package struct DeviceChange: Hashable, Sendable {
    /// Nil leaves the tags as they are.
    package var tags: TagEdit?
    package var alias = Setting.unchanged
    package var mobile = Setting.unchanged
    /// Nil leaves the attributes as they are.
    package var attributes: AttributeEdit?

    package enum Setting: Hashable, Sendable {
        case unchanged
        case cleared
        case set(String)

        /// Returns the value after the change; nil for none.
        package func text(after old: String?) -> String? {
            switch self {
            case .unchanged: old
            case .cleared: nil
            case .set(let text): text
            }
        }
    }

    /// Parses the body.
    ///
    /// - Throws: 7002 for its first error.
    package init(parsing body: [UInt8]) throws(JPushError) {
        let object = try JSONObject(ofDevices: body)
        if let value = object["tags"], value != .null { tags = try TagEdit(value) }
        alias = try Self.alias(object["alias"])
        mobile = try Self.mobile(object["mobile"])
        if let value = object["attributes"], value != .null { attributes = try AttributeEdit(value) }
    }

    private static func alias(_ value: JSONValue?) throws(JPushError) -> Setting {
        guard let value, value != .null else { return .unchanged }
        guard let alias = value.string else { throw .badDeviceParameter("'alias' is \(value.kind), not a string.") }
        guard !alias.isEmpty else { return .cleared }
        return .set(try JPushLimits.deviceTag(alias, "alias"))
    }

    /// Reads a number as a string, or as a JSON number, which some libraries send.
    private static func mobile(_ value: JSONValue?) throws(JPushError) -> Setting {
        guard let value, value != .null else { return .unchanged }
        guard let mobile = value.string ?? value.jpushInteger.map({ String($0) }) else {
            throw .badDeviceParameter("'mobile' is \(value.kind), not a string.")
        }
        guard !mobile.isEmpty else { return .cleared }
        let digits = mobile.hasPrefix("+") ? mobile.dropFirst() : mobile[...]
        guard JPushLimits.mobileDigits.contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            let range = JPushLimits.mobileDigits
            throw .badDeviceParameter(
                "'mobile' is '\(mobile)'; expected \(range.lowerBound) to \(range.upperBound) digits, with or without '+'."
            )
        }
        return .set(mobile)
    }
}

extension JPushLimits {
    /// Returns `text` if it is a valid tag or alias.
    ///
    /// - Throws: 7002 otherwise.
    package static func deviceTag(_ text: String, _ path: String) throws(JPushError) -> String {
        guard isTag(text) else {
            throw .badDeviceParameter(
                """
                '\(path)' holds '\(text)'; expected 1 to \(tagBytes) bytes of letters, digits, '_', Chinese characters and \
                @!#$&*+=.|￥.
                """
            )
        }
        return text
    }
}

/// A change to the tags of one device.
package enum TagEdit: Hashable, Sendable {
    case clear
    /// A tag in both lists is added.
    case edit(remove: [String], add: [String])

    /// Parses the value of `tags`: `""`, or an object with `add`, `remove` or both.
    init(_ value: JSONValue) throws(JPushError) {
        if value == .string("") {
            self = .clear
            return
        }
        guard let members = value.objectOrEmpty else {
            throw .badDeviceParameter("'tags' is \(value.text.prefix(80)); expected \"\" or an object.")
        }
        self = .edit(remove: try Self.tags("remove", in: members), add: try Self.tags("add", in: members))
    }

    private static func tags(_ key: String, in members: JSONObject) throws(JPushError) -> [String] {
        let tags = try members.texts(key, at: "tags.")
        guard tags.count <= JPushLimits.tagsPerChange else {
            throw .badDeviceParameter(
                "'tags.\(key)' has \(tags.count) members; at most \(JPushLimits.tagsPerChange) are allowed in a call."
            )
        }
        let bytes = tags.reduce(0) { $0 + $1.utf8.count }
        guard bytes <= JPushLimits.tagBytesPerChange else {
            throw .badDeviceParameter(
                "'tags.\(key)' has \(bytes) bytes; at most \(JPushLimits.tagBytesPerChange) are allowed in a call."
            )
        }
        for tag in tags { _ = try JPushLimits.deviceTag(tag, "tags.\(key)") }
        return tags
    }

    /// Returns the sorted tags of a device after the change.
    ///
    /// - Throws: 7002 if there are too many.
    package func tags(after old: [String]) throws(JPushError) -> [String] {
        guard case .edit(let remove, let add) = self else { return [] }
        let tags = Set(exactly: old).subtracting(Set(exactly: remove)).union(Set(exactly: add))
        guard tags.count <= JPushLimits.tagsPerDevice || tags.count <= old.count else {
            throw .badDeviceParameter(
                "The device would have \(tags.count) tags; at most \(JPushLimits.tagsPerDevice) are allowed."
            )
        }
        return tags.texts
    }
}

/// A change of a device's attributes: named texts, which alert texts may name as `{{name|default}}`. An extension of Posthorn.
package struct AttributeEdit: Hashable, Sendable {
    /// The most attributes of a device.
    package static let limit = 20
    /// The most bytes of a value.
    package static let valueBytes = 200

    /// The new values; nil removes an attribute.
    private var values: [String: String?] = [:]

    /// Reads an object; the attributes that it does not name stay. Null and an empty text remove one. A number and a boolean are the text
    /// that JSON has for them.
    ///
    /// - Throws: 7002 for its first error.
    package init(_ value: JSONValue) throws(JPushError) {
        guard let object = value.objectOrEmpty else {
            throw .badDeviceParameter("'attributes' is \(value.kind); expected an object.")
        }
        for member in object.members {
            guard Self.isName(member.key) else {
                throw .badDeviceParameter(
                    "'attributes' has the name '\(member.key)'; expected 1 to 40 letters, digits and '_'."
                )
            }
            guard let text = member.value == .null ? "" : member.value.plainText, text.utf8.count <= Self.valueBytes
            else {
                throw .badDeviceParameter(
                    "'attributes.\(member.key)' is no text, number or boolean of at most \(Self.valueBytes) bytes, nor null."
                )
            }
            values.updateValue(text.isEmpty ? nil : text, forKey: member.key)
        }
    }

    /// The object that ``init(_:)`` reads.
    var json: JSONValue { .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, .orNull($0.value)) })) }

    /// Returns whether the text can name an attribute.
    static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
    }

    /// Returns the attributes after the change.
    ///
    /// - Throws: 7002 for too many.
    package func attributes(after old: [String: String]) throws(JPushError) -> [String: String] {
        var attributes = old
        for (name, value) in values { attributes[name] = value }
        guard attributes.count <= Self.limit else {
            throw .badDeviceParameter(
                "The device would have \(attributes.count) attributes; at most \(Self.limit) fit."
            )
        }
        return attributes
    }
}
