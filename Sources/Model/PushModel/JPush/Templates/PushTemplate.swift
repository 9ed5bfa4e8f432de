/// A push without an audience that an app keeps under an id. Its texts may have variables, such as `{{name}}`.
///
/// Source: JPush's console, "Push template". The form of a variable is our choice: see ``FillableJSON``.
package struct PushTemplate: Hashable, Sendable {
    /// 1 to 255 bytes.
    package let name: String
    /// The push object, without `audience` and `cid`.
    package let push: JSONObject
    /// The push, in which the variables have been found.
    private let form: FillableJSON

    /// Restores a template from the store.
    package init(name: String, push: JSONObject) {
        self.name = name
        self.push = push
        form = FillableJSON(.object(push))
    }

    /// Parses `{"name":…,"push":{…}}`. The push must be valid with `0` as the value of each variable.
    ///
    /// - Throws: 1002, 1003, 1005 or 1009, or the error of the push.
    package init(parsing body: [UInt8]) throws(JPushError) {
        let (name, push) = try JSONReader.read(body, keys: ["name", "push"]) { members throws(JSONProblem) in
            (
                try members.need("name", .name(bytes: 1...JPushLimits.templateNameBytes)),
                try JSONReader(try members.need("push", JSONForm("an object") { $0 }), at: "push").object
            )
        }
        for key in ["audience", "cid"] where push[key] != nil {
            throw .badValue("'push.\(key)' belongs to the pushes that are made from a template; leave it out.")
        }
        let bytes = push.byteCount
        guard bytes <= JPushLimits.templateBytes else {
            throw .tooLarge("'push' has \(bytes) bytes; at most \(JPushLimits.templateBytes) are allowed.")
        }
        self.init(name: name, push: push)
        try check()
    }

    private func check() throws(JPushError) {
        guard variables.count <= JPushLimits.templateVariables else {
            throw .badValue(
                "'push' has \(variables.count) variables; at most \(JPushLimits.templateVariables) are allowed."
            )
        }
        var sample = sample
        sample["audience"] = "all"
        do { _ = try PushRequest(parsing: sample.bytes) } catch {
            throw JPushError(error.status, code: error.code, "'push' is not valid: \(error.message)")
        }
    }

    private var sample: JSONObject { filled { _ in "0" } }

    /// The warnings about its push, whatever the values of its variables.
    package var warnings: [PushWarning] { PushWarning.all(in: sample.bytes[...]) }

    /// The names of the variables, in the order in which they appear.
    package var variables: [String] { form.variables }

    /// Returns whether the template has a variable of this name.
    func has(variable name: ExactText) -> Bool { form.has(variable: name) }

    /// Returns the push with the values of the variables; one without a value stays as it is. A value is text, and no part of it is a
    /// variable.
    package func filled(_ value: (String) -> String?) -> JSONObject { filled(variables.map(value)) }

    /// Returns the push with values in the order of ``variables``.
    func filled(_ values: [String?]) -> JSONObject { form.filled(values).object ?? push }

    /// Returns the number of bytes of the push with values in the order of ``variables``, without building it.
    func filledBytes(_ values: [String]) -> Int { form.filledBytes(values) }
}
