/// Reads the members of a JSON object, and reports the one that is missing or invalid.
package struct JSONReader {
    package let object: JSONObject
    /// The path of the object in its document; empty for the document itself.
    package let path: String

    package init(_ object: JSONObject, at path: String = "") {
        self.object = object
        self.path = path
    }

    /// Reads a document or, with a path, a member of one, which may be an empty array (``JSONValue/objectOrEmpty``).
    ///
    /// - Throws: if the value is not an object.
    package init(_ value: JSONValue, at path: String = "") throws(JSONProblem) {
        guard let object = path.isEmpty ? value.object : value.objectOrEmpty else {
            throw JSONProblem(path: path, found: value.kind, expected: "an object")
        }
        self.init(object, at: path)
    }

    /// Returns a member, whatever its form; nil if it is missing.
    package subscript(key: String) -> JSONValue? { object[key] }

    /// Returns a required member.
    package func need<Value>(_ key: String, _ form: JSONForm<Value>) throws(JSONProblem) -> Value {
        guard let value = object[key].flatMap(form.convert) else { throw refusal(key, expected: form.expected()) }
        return value
    }

    /// Returns a member; nil if it is missing or null.
    package func optional<Value>(_ key: String, _ form: JSONForm<Value>) throws(JSONProblem) -> Value? {
        switch object[key] {
        case nil, .null: nil
        default: try need(key, form)
        }
    }

    // MARK: - Problems

    /// Returns the problem of a member; `value` is nil if it is missing.
    package func problem(_ key: String, found value: JSONValue?, expected: String) -> JSONProblem {
        JSONProblem(place(key), found: value, expected: expected)
    }

    /// - Throws: if the object has a key other than these.
    package func refuseKeys(besides known: [String]) throws(JSONProblem) {
        for member in object.members where !known.contains(member.key) {
            let words = Set(known).sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw JSONProblem(
                path: place(member.key),
                found: "not known here",
                expected: "one of \(words)",
                isUnknownKey: true
            )
        }
    }

    private func refusal(_ key: String, expected: String) -> JSONProblem {
        problem(key, found: object[key], expected: expected)
    }

    private func place(_ key: String) -> String { path.isEmpty ? key : path + "." + key }
}

// For the members of most frames: a generic function costs time in other modules.
extension JSONReader {
    /// Returns a required string.
    package func string(_ key: String) throws(JSONProblem) -> String {
        guard let string = object[key]?.string else { throw refusal(key, expected: JSONForm.string.expected()) }
        return string
    }

    /// Returns a required integer.
    package func integer(_ key: String) throws(JSONProblem) -> Int64 {
        guard let integer = object[key]?.integer else { throw refusal(key, expected: JSONForm.integer.expected()) }
        return integer
    }

    /// Returns a required environment.
    package func environment(_ key: String) throws(JSONProblem) -> APNSEnvironment {
        guard let environment = object[key]?.string.flatMap(APNSEnvironment.init(rawValue:)) else {
            throw refusal(key, expected: JSONForm<APNSEnvironment>.word.expected())
        }
        return environment
    }
}
