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
            && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
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
