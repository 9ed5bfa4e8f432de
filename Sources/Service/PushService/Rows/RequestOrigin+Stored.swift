import PushModel

// The columns requestID and trace of a message.

extension RequestOrigin {
    /// The stored trace; nil if there is none.
    package var storedTrace: String? {
        guard !trace.isEmpty else { return nil }
        return JSONValue.object(JSONObject(trace.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })).text
    }

    /// Reads a stored trace. One that cannot be read counts as none: it says nothing about the push.
    package init(requestID: String, stored trace: String?) {
        let members = trace.flatMap { try? JSONValue(parsing: $0).object }
        var found: [String: String] = [:]
        for member in members?.members ?? [] { found[member.key] = member.value.string }
        self.init(requestID: requestID, trace: found)
    }
}
