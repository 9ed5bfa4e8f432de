/// A JSON object that is written from whatever can be encoded; nil is null.
package struct JSONMembers: ExpressibleByDictionaryLiteral, Encodable {
    package private(set) var json: JSONObject = [:]

    package init(dictionaryLiteral values: (String, (any Encodable)?)...) {
        for (name, value) in values { self[name] = value }
    }

    /// Has the members of a value.
    package init(of value: some Encodable) { json = JSONCoding.object(of: value) }

    package subscript(_ name: String) -> (any Encodable)? {
        get { json[name] }
        set { json[name] = newValue.map { Self.json(of: $0) } ?? .null }
    }

    private static func json(of value: some Encodable) -> JSONValue {
        // The framework of the emulated phones encodes an object as its text.
        (value as? JSONObject).map { .object($0) } ?? JSONCoding.json(of: value)
    }

    package func encode(to encoder: any Encoder) { JSONValue.object(json).encode(to: encoder) }
}
