package import PushModel

/// What a gateway has done since it began, and what it holds now.
package struct GatewayCounts: Hashable, Sendable {
    /// Answers that are alike.
    package struct Answer: Hashable, Sendable {
        package var environment: APNSEnvironment
        package var status: Int
        /// Nil with a 200. `other` for reasons that a test has made up, if they are very many.
        package var reason: APNSReason?

        package init(_ environment: APNSEnvironment, _ status: Int, _ reason: APNSReason? = nil) {
            self.environment = environment
            self.status = status
            self.reason = reason
        }
    }

    package var answers: [Answer: Int] = [:]
    package var stored = 0
    package var coalesced = 0
    package var expired = 0
    package var delivered = 0
    /// Pushes that wait for a device now.
    package var waiting = 0
    /// Links of devices that are open now.
    package var devices = 0
    /// Connections of providers that are open now.
    package var providers = 0
}

extension GatewayCounts {
    package var json: JSONObject {
        let answers = answers.sorted { one, other in
            (one.key.environment.rawValue, one.key.status, one.key.reason?.rawValue ?? "")
                < (other.key.environment.rawValue, other.key.status, other.key.reason?.rawValue ?? "")
        }
        return [
            "answers": .array(
                answers.map { answer, count in
                    [
                        "environment": .string(answer.environment.rawValue), "status": .integer(Int64(answer.status)),
                        "reason": answer.reason.map { .string($0.rawValue) } ?? .null, "count": .integer(Int64(count)),
                    ]
                }
            ),
            "stored": .integer(Int64(stored)), "coalesced": .integer(Int64(coalesced)),
            "expired": .integer(Int64(expired)), "delivered": .integer(Int64(delivered)),
            "waiting": .integer(Int64(waiting)), "devices": .integer(Int64(devices)),
            "providers": .integer(Int64(providers)),
        ]
    }
}
