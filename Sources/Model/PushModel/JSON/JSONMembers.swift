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
        set { json[name] = newValue.map { JSONCoding.json(of: $0) } ?? .null }
    }

    package func encode(to encoder: any Encoder) { JSONValue.object(json).encode(to: encoder) }
}

extension JSONObject {
    /// Creates an object from its members in this order, without those that have no value.
    package init(present members: KeyValuePairs<String, (any Encodable)?>) {
        self.init()
        add(present: members)
    }

    /// Adds or replaces members in this order, without those that have no value.
    package mutating func add(present members: KeyValuePairs<String, (any Encodable)?>) {
        for (name, value) in members { if let value { self[name] = JSONCoding.json(of: value) } }
    }

    /// Adds or replaces members in this order.
    package mutating func add(_ other: JSONObject) {
        for member in other.members { self[member.key] = member.value }
    }
}
