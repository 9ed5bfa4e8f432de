/// A push to be sent later, once or repeatedly: the body of `POST /v3/schedules`.
///
/// Source: JPush REST API v3, "Schedule API".
package struct Schedule: Hashable, Sendable {
    /// 1 to 255 bytes.
    package var name: String
    package var isEnabled: Bool
    /// The trigger as sent.
    package var triggerJSON: JSONValue
    package var trigger: ScheduleTrigger
    /// The push as sent.
    package var push: JSONValue

    /// Parses the object of a new schedule.
    ///
    /// - Throws: 8100 for the first error.
    package init(_ object: JSONObject) throws(JPushError) {
        for key in ["name", "enabled", "trigger", "push"] where object[key] == nil {
            throw .badSchedule("'\(key)' is missing.")
        }
        name = ""
        isEnabled = false
        triggerJSON = .null
        push = .null
        trigger = try ScheduleTrigger(json: object["trigger"] ?? .null)
        try change(object)
        guard isEnabled else { throw .badSchedule("'enabled' is false; a new schedule must be enabled.") }
    }

    /// Restores a schedule from the store.
    package init(name: String, isEnabled: Bool, triggerJSON: JSONValue, push: JSONValue) throws(JPushError) {
        self.name = name
        self.isEnabled = isEnabled
        self.triggerJSON = triggerJSON
        self.push = push
        trigger = try ScheduleTrigger(json: triggerJSON)
    }

    /// Replaces each part that `object` contains as a whole; other keys are ignored.
    ///
    /// - Throws: 8100, also for changing a single schedule into a periodical one or vice versa.
    package mutating func change(_ object: JSONObject) throws(JPushError) {
        if let value = object["name"] { name = try Self.name(value) }
        if let value = object["enabled"] {
            guard let flag = value.jpushBool else {
                throw .scheduleWrongKind("enabled", value, expected: "true or false")
            }
            isEnabled = flag
        }
        if let value = object["trigger"] {
            let next = try ScheduleTrigger(json: value)
            guard next.isSingle == trigger.isSingle else {
                throw .badSchedule("a single schedule cannot become a periodical one, nor the other way round.")
            }
            trigger = next
            triggerJSON = value
        }
        if let value = object["push"] { push = try Self.push(value) }
    }

    /// Returns the id of the uploaded file with the audience of a push; nil for any other audience.
    package static func fileID(in push: JSONValue) -> String? {
        push.object?["audience"]?.object?["file"]?.object?["file_id"]?.string
    }

    private static func name(_ value: JSONValue) throws(JPushError) -> String {
        guard let name = value.string else { throw .scheduleWrongKind("name", value, expected: "a string") }
        guard (1...JPushLimits.scheduleNameBytes).contains(name.utf8.count) else {
            throw .badSchedule("'name' has \(name.utf8.count) bytes; expected 1 to \(JPushLimits.scheduleNameBytes).")
        }
        if let control = name.controlInName { throw .badSchedule("'name' has the character \(control); leave it out.") }
        return name
    }

    private static func push(_ value: JSONValue) throws(JPushError) -> JSONValue {
        do { _ = try PushRequest(parsing: value.bytes, file: .allowed) } catch {
            throw .badSchedule("'push' is not valid: \(error.message) (\(error.code))")
        }
        return value
    }
}
