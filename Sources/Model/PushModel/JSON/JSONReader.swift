/// Reads the members of a JSON object, and reports the one that is missing or invalid.
///
/// Inlinable, because the links read their frames with it.
package struct JSONReader {
    package let object: JSONObject
    /// The path of the object in its document; empty for the document itself.
    package let path: String

    @inlinable
    package init(_ object: JSONObject, at path: String = "") {
        self.object = object
        self.path = path
    }

    /// - Throws: if the value is not an object.
    package init(_ value: JSONValue, at path: String = "") throws(JSONProblem) {
        guard let object = value.object else {
            throw JSONProblem(path: path, found: value.kind, expected: "an object")
        }
        self.init(object, at: path)
    }

    /// Returns a member, whatever its form; nil if it is missing.
    @inlinable
    package subscript(key: String) -> JSONValue? { object[key] }

    /// Returns a required member.
    @inlinable
    package func need<Value>(_ key: String, _ form: JSONForm<Value>) throws(JSONProblem) -> Value {
        guard let value = object[key] else { throw missing(key, expected: form.expected()) }
        return try convert(value, of: key, to: form)
    }

    /// Returns a member; nil if it is missing or null.
    @inlinable
    package func optional<Value>(_ key: String, _ form: JSONForm<Value>) throws(JSONProblem) -> Value? {
        switch object[key] {
        case nil, .null: return nil
        case let value?: return try convert(value, of: key, to: form)
        }
    }

    @inlinable
    package func convert<Value>(
        _ value: JSONValue,
        of key: String,
        to form: JSONForm<Value>
    ) throws(JSONProblem) -> Value {
        guard let converted = form.convert(value) else { throw problem(key, found: value, expected: form.expected()) }
        return converted
    }

    // MARK: - Problems

    package func missing(_ key: String, expected: String) -> JSONProblem {
        JSONProblem(path: place(key), found: "missing", expected: expected)
    }

    package func problem(_ key: String, found value: JSONValue, expected: String) -> JSONProblem {
        JSONProblem(path: place(key), found: value.shown, expected: expected)
    }

    /// - Throws: if the object has a key other than these.
    package func refuseKeys(besides known: [String]) throws(JSONProblem) {
        for member in object.members where !known.contains(member.key) {
            let words = Set(known).sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw JSONProblem(path: place(member.key), found: "not known here", expected: "one of \(words)")
        }
    }

    private func place(_ key: String) -> String { path.isEmpty ? key : path + "." + key }
}
