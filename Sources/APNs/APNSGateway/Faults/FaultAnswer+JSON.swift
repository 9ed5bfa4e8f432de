import PushModel

extension FaultAnswer {
    init(reading json: inout ObjectReader) throws(DocumentProblem) {
        let reason = try json.text("reason").map { APNSReason(rawValue: $0) }
        let status = try json.integer("status", in: 200...599)
        self.init(
            status: try json.need(status ?? reason?.status, "status", "an HTTP status, or a reason of APNs"),
            reason: reason,
            timestamp: try json.integer("timestamp", in: 0...Int64.max).map(Int64.init),
            body: try json.text("body"),
            retryAfter: try json.integer("retryAfter", in: 0...1_000_000_000)
        )
        if let body, reason != nil { throw json.problem("body", .string(body), "either a body or a reason") }
    }

    var details: [(String, JSONValue?)] {
        [
            ("status", .integer(Int64(status))), ("reason", reason.map { .string($0.rawValue) }),
            ("timestamp", timestamp.map { .integer($0) }), ("body", body.map { .string($0) }),
            ("retryAfter", retryAfter.map { .integer(Int64($0)) }),
        ]
    }
}
