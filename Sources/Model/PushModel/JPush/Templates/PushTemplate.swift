/// A push without an audience that an app keeps under an id. Its texts may have variables, such as `{{name}}`.
///
/// Source: JPush's console, "Push template". The form of a variable is our choice: a name of 1 to 40 characters without spaces, braces and `|`.
package struct PushTemplate: Hashable, Sendable {
    /// 1 to 255 bytes.
    package var name: String
    /// The push object, without `audience` and `cid`.
    package var push: JSONObject

    /// Restores a template from the store.
    package init(name: String, push: JSONObject) { (self.name, self.push) = (name, push) }

    /// Parses `{"name":…,"push":{…}}`. The push must be valid with `0` as the value of each variable.
    ///
    /// - Throws: 1002, 1003 or 1009, or the error of the push.
    package init(parsing body: [UInt8]) throws(JPushError) {
        let (name, push) = try JSONReader.read(body, keys: ["name", "push"]) { members throws(JSONProblem) in
            (
                try members.need("name", .name(bytes: 1...JPushLimits.templateNameBytes)),
                try JSONReader(try members.need("push", JSONForm("an object") { $0 }), at: "push").object
            )
        }
        self.init(name: name, push: push)
        try check()
    }

    private func check() throws(JPushError) {
        for key in ["audience", "cid"] where push[key] != nil {
            throw .badValue("'push.\(key)' belongs to the pushes that are made from a template; leave it out.")
        }
        let bytes = JSONValue.object(push).byteCount
        guard bytes <= JPushLimits.templateBytes else {
            throw .tooLarge("'push' has \(bytes) bytes; at most \(JPushLimits.templateBytes) are allowed.")
        }
        var sample = filled { _ in "0" }
        sample["audience"] = "all"
        do { _ = try PushRequest(parsing: JSONValue.object(sample).bytes) } catch {
            throw JPushError(error.status, code: error.code, "'push' is not valid: \(error.message)")
        }
    }

    /// The names of the variables, in the order in which they appear.
    package var variables: [String] {
        var names: [String] = []
        _ = filled { name in
            if !names.contains(name) { names.append(name) }
            return nil
        }
        return names
    }

    /// Returns the push with the values of the variables; one without a value stays as it is. A value is text, and no part of it is a
    /// variable.
    package func filled(_ value: (String) -> String?) -> JSONObject {
        JSONObject(distinct: push.members.map { .init(key: $0.key, value: Self.fill($0.value, value)) })
    }

    private static func fill(_ json: JSONValue, _ value: (String) -> String?) -> JSONValue {
        switch json {
        case .string(let text): .string(fill(text, value))
        case .array(let values): .array(values.map { fill($0, value) })
        case .object(let object):
            .object(JSONObject(distinct: object.members.map { .init(key: $0.key, value: fill($0.value, value)) }))
        case .null, .bool, .integer, .double, .decimal: json
        }
    }

    private static func fill(_ text: String, _ value: (String) -> String?) -> String {
        text.replacing(/\{\{\s*([^\s{}|]{1,40})\s*\}\}/) { value(String($0.1)) ?? String($0.0) }
    }
}
