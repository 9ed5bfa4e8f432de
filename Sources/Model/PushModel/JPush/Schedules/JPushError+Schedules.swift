// Source: JPush REST API v3, "Schedule API", section "Error codes".
extension JPushError {
    /// Callers match the beginning of the message.
    package static func badSchedule(_ reason: String) -> Self {
        Self(status: 400, code: 8100, message: "The schedule-task is invalid:\(reason)")
    }
    package static let noSuchSchedule = Self(404, code: 8104, "Request schedule operation doesn't exist")
    package static let scheduleInternal = Self(500, code: 8200, "Internal error; the request may be repeated.")
    /// An entry in the history of a schedule: the service was not running when a push was due.
    package static func scheduleMissed(_ message: String) -> Self { Self(503, code: 8203, message) }

    static func scheduleWrongKind(_ path: String, _ value: JSONValue, expected: String) -> Self {
        .badSchedule("'\(path)' is \(value.kind); expected \(expected).")
    }
}
