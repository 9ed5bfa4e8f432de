import PushModel

extension FaultAnswer {
    init(reading json: inout StrictJSONReader) throws(JSONProblem) {
        let reason = try json.optional("reason", .text).map { APNSReason(rawValue: $0) }
        let status = try json.optional("status", .integer(in: 200...599))
        guard let status = status ?? reason?.status else {
            throw json.problem("status", found: nil, expected: "an HTTP status, or a reason of APNs")
        }
        self.init(
            status: status,
            reason: reason,
            timestamp: try json.optional("timestamp", .integer(in: 0...Int64.max)).map(Int64.init),
            body: try json.optional("body", .text),
            retryAfter: try json.optional("retryAfter", .integer(in: 0...1_000_000_000))
        )
        if let body, reason != nil {
            throw json.problem("body", found: .string(body), expected: "either a body or a reason")
        }
    }

    var details: [(String, JSONValue?)] {
        [
            ("status", .number(status)), ("reason", reason.map { .string($0.rawValue) }),
            ("timestamp", timestamp.map { .integer($0) }), ("body", body.map { .string($0) }),
            ("retryAfter", retryAfter.map { .number($0) }),
        ]
    }
}
