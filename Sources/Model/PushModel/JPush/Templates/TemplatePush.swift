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
        /// The values of the template's variables: up to ``JPushLimits/templateVariables``.
        package var keys: [ExactText: String]
        /// Options that replace or complement those of the template.
        package var options: JSONObject
        /// The caller's own id of the push.
        package var traceID: String?
        /// Why the push cannot be made, whatever its template; nil if it may be.
        fileprivate var problem: JPushError?
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

extension JSONForm<String> {
    /// The value of a variable.
    fileprivate static var templateValue: Self {
        Self("a string or a number") { value in
            switch value {
            case .string(let text): text
            case .integer, .double, .decimal: value.text
            case .null, .bool, .array, .object: nil
            }
        }
    }
}

extension JSONReader {
    /// Reads the values of variables.
    fileprivate func templateValues() throws(JSONProblem) -> [ExactText: String] {
        let count = object.members.count
        let limit = JPushLimits.templateVariables
        guard count <= limit else {
            throw JSONProblem(path: path, found: "an object of \(count) members", expected: "at most \(limit)")
        }
        var values: [ExactText: String] = [:]
        for key in object.keys {
            let text = try need(key, .templateValue)
            let bytes = text.utf8.count
            let limit = JPushLimits.templateValueBytes
            guard bytes <= limit else {
                throw JSONProblem(path: "\(path).\(key)", found: "\(bytes) bytes long", expected: "at most \(limit)")
            }
            values[ExactText(key)] = text
        }
        return values
    }
}

extension TemplatePush.Entry {
    fileprivate init(_ given: JSONReader) throws(JSONProblem) {
        let members = JSONReader(given.object.withoutNulls, at: given.path)
        try members.refuseKeys(besides: ["audience", "keys", "options", "trace_id", "geofence"])
        audience = try members.need("audience", JSONForm("an audience") { $0 })
        keys = [:]
        options = [:]
        traceID = try members.optional("trace_id", .string)
        hasGeofence = members["geofence"] != nil
        // These are of one push alone, so that the others are sent.
        do throws(JSONProblem) {
            if let values = try members.optional("keys", .object) {
                keys = try JSONReader(values, at: "\(members.path).keys").templateValues()
            }
            options = try members.optional("options", .object) ?? [:]
        } catch { problem = JPushError(error) }
    }

    /// Returns the push object, made from a template.
    ///
    /// - Throws: 1002 if a variable has no value; 1003 for wrong values or options; 1005 for a push that would be too large.
    package func push(from template: PushTemplate) throws(JPushError) -> JSONObject {
        if let problem { throw problem }
        var values: [String] = []
        for name in template.variables {
            guard let value = keys[ExactText(name)] else {
                throw .missing("Missing parameter 'keys.\(name)': the template has the variable '\(name)'.")
            }
            values.append(value)
        }
        let bytes = template.filledBytes(values)
        guard bytes <= JPushLimits.filledTemplateBytes else {
            throw .tooLarge(
                "The push would have \(bytes) bytes; at most \(JPushLimits.filledTemplateBytes) are allowed."
            )
        }
        var push = template.filled(values)
        push["audience"] = audience
        if !options.isEmpty {
            let members = (push["options"]?.object?.members ?? []) + options.members
            push["options"] = .object(JSONObject(members.map { ($0.key, $0.value) }))
        }
        return push
    }

    /// Returns warnings about values for variables that a template does not have; `place` is that of the push among `params`.
    package func warnings(for template: PushTemplate, at place: Int) -> [PushWarning] {
        keys.keys.filter { !template.has(variable: $0) }.sorted().map {
            PushWarning(kind: .unused, path: "params[\(place)].keys.\($0.text)", found: $0.text)
        }
    }
}
