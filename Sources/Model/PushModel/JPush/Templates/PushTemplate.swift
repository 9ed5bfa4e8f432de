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

/// Pushes that are made from a template, sent at once or scheduled: the body of `POST /v3/push/template` or of
/// `POST /v3/push/template/schedule`.
///
/// Source: JPush REST API v3, "Push template API", edition of 2025-03.
package struct TemplatePush: Hashable, Sendable {
    /// The id of the template.
    package var template: String
    package var params: [Entry]
    /// The members `name` and `trigger` of each schedule; nil for pushes that are sent at once.
    package var schedule: JSONObject?

    /// One push.
    package struct Entry: Hashable, Sendable {
        package var audience: JSONValue
        /// The values of the template's variables.
        package var keys: [String: String]
        /// Options that replace or complement those of the template.
        package var options: JSONObject
        /// The caller's own id of the push.
        package var traceID: String?
        fileprivate var hasGeofence: Bool
    }

    /// Parses a body; `isScheduled` is whether it is that of the schedule form.
    ///
    /// - Throws: 1002, 1003 or 1009; 2007 for a geofence.
    package init(parsing body: [UInt8], isScheduled: Bool) throws(JPushError) {
        let own = ["id", "params"] + (isScheduled ? ["schedule_name", "trigger"] : [])
        (template, params, schedule) = try JSONReader.read(body, keys: own) { members throws(JSONProblem) in
            var params: [Entry] = []
            let values = try members.need("params", .params)
            for (place, value) in values.enumerated() {
                params.append(try Entry(JSONReader(value, at: "params[\(place)]")))
            }
            let any = JSONForm("a value") { $0 }
            let schedule: JSONObject? =
                isScheduled
                ? ["name": try members.need("schedule_name", any), "trigger": try members.need("trigger", any)] : nil
            return (try members.need("id", .string), params, schedule)
        }
        if params.contains(where: \.hasGeofence) {
            throw .notServed("'geofence' is not served by this version of Posthorn.")
        }
        try checkAudiences()
    }

    /// Checks that all audiences are of one kind, and that there is one push for a kind that is no list of names.
    private func checkAudiences() throws(JPushError) {
        var kinds: Set<String> = []
        var names = 0
        for (place, entry) in params.enumerated() {
            guard entry.audience != "all" else {
                kinds.insert("all")
                continue
            }
            guard let members = entry.audience.object?.members, !members.isEmpty else {
                throw .badValue("'params[\(place)].audience' is \(entry.audience.kind); expected \"all\" or an object.")
            }
            for member in members {
                kinds.insert(["tag_and", "tag_not"].contains(member.key) ? "tag" : member.key)
                names += member.value.array?.count ?? 1
            }
        }
        guard kinds.count == 1, let kind = kinds.first else {
            throw .badValue(
                "The audiences are of the kinds \(kinds.sorted().joined(separator: ", ")); expected one kind."
            )
        }
        if ["alias", "registration_id"].contains(kind) {
            guard names <= JPushLimits.audienceNames else {
                throw .badValue("The audiences have \(names) names; at most \(JPushLimits.audienceNames) are allowed.")
            }
        } else if params.count > 1 || kind == "segment" && names > 1 {
            throw .badValue("'params' may have one audience of the kind '\(kind)', not several.")
        }
    }
}

extension JSONForm<[JSONValue]> {
    fileprivate static var params: Self {
        let count = JPushLimits.batch
        return Self("an array of \(count.lowerBound) to \(count.upperBound) pushes") { value in
            value.array.flatMap { count.contains($0.count) ? $0 : nil }
        }
    }
}

extension JSONForm<JSONObject> {
    /// An object; PHP writes an empty one as an array.
    fileprivate static var object: Self { Self("an object") { $0 == .array([]) ? [:] : $0.object } }
}

extension JSONForm<[String: String]> {
    /// Values of variables.
    fileprivate static var values: Self {
        .object("an object of strings and numbers") { value in
            switch value {
            case .string(let text): text
            case .integer, .double, .decimal: value.text
            case .null, .bool, .array, .object: nil
            }
        }
    }
}

extension TemplatePush.Entry {
    fileprivate init(_ given: JSONReader) throws(JSONProblem) {
        let members = JSONReader(given.object.withoutNulls, at: given.path)
        try members.refuseKeys(besides: ["audience", "keys", "options", "trace_id", "geofence"])
        audience = try members.need("audience", JSONForm("an audience") { $0 })
        keys = members["keys"] == .array([]) ? [:] : try members.optional("keys", .values) ?? [:]
        options = try members.optional("options", .object) ?? [:]
        traceID = try members.optional("trace_id", .string)
        hasGeofence = members["geofence"] != nil
    }

    /// Returns the push object, made from a template.
    ///
    /// - Throws: 1002 if a variable has no value.
    package func push(from template: PushTemplate) throws(JPushError) -> JSONObject {
        if let missing = template.variables.first(where: { keys[$0] == nil }) {
            throw .missing("Missing parameter 'keys.\(missing)': the template has the variable '\(missing)'.")
        }
        var push = template.filled { keys[$0] }
        push["audience"] = audience
        if !options.isEmpty {
            var merged = push["options"]?.object ?? [:]
            for member in options.members { merged[member.key] = member.value }
            push["options"] = .object(merged)
        }
        return push
    }

    /// Returns warnings about values for variables that a template does not have; `place` is that of the push among `params`.
    package func warnings(for template: PushTemplate, at place: Int) -> [PushWarning] {
        Set(keys.keys).subtracting(template.variables).sorted().map {
            PushWarning(kind: .unused, path: "params[\(place)].keys.\($0)", found: $0)
        }
    }
}
