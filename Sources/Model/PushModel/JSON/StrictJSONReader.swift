/// Reads the members of a JSON object that a person wrote, where an unknown key or a null is a mistake.
///
/// It remembers the keys that were asked for; ``finish()`` reports any others.
package struct StrictJSONReader {
    private let members: JSONReader
    private var known: [String] = []

    /// Reads the object at a path of its document, empty for the document itself; throws if the value is no object.
    package init(_ value: JSONValue, at path: String = "") throws(JSONProblem) {
        members = try JSONReader(value, at: path)
    }

    /// Returns a required member. A missing one is reported in the words of `expected`, if they say more than those of the form.
    package mutating func need<Value>(
        _ key: String,
        _ form: JSONForm<Value>,
        orMissing expected: String? = nil
    ) throws(JSONProblem) -> Value {
        guard let value = try optional(key, form) else {
            throw problem(key, found: nil, expected: expected ?? form.expected())
        }
        return value
    }

    /// Returns a member; nil if it is missing.
    package mutating func optional<Value>(_ key: String, _ form: JSONForm<Value>) throws(JSONProblem) -> Value? {
        known.append(key)
        return members[key] == nil ? nil : try members.need(key, form)
    }

    /// - Throws: if there is a key that was not read.
    package func finish() throws(JSONProblem) { try members.refuseKeys(besides: known) }

    package func problem(_ key: String, found value: JSONValue?, expected: String) -> JSONProblem {
        members.problem(key, found: value, expected: expected)
    }
}
