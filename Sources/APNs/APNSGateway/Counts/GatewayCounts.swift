package import PushModel

/// Counts of a gateway's work since it started, and of its current contents.
package struct GatewayCounts: Hashable, Sendable {
    /// A kind of answer that is counted.
    package struct Answer: Hashable, Sendable {
        package var environment: APNSEnvironment
        package var status: Int
        /// Nil for 200. `other` for invented reasons, once a test has used very many.
        package var reason: APNSReason?
    }

    package var answers: [Answer: Int] = [:]
    package var stored = 0
    package var coalesced = 0
    package var expired = 0
    package var delivered = 0
    /// The number of pushes that wait for a device now.
    package var waiting = 0
    /// The number of open device links.
    package var devices = 0
    /// The number of open provider connections.
    package var providers = 0
}

extension GatewayCounts {
    /// The answers in order of environment, status and reason.
    package var sortedAnswers: [(Answer, count: Int)] {
        answers.map { ($0.key, $0.value) }.sorted { one, other in
            (one.0.environment.rawValue, one.0.status, one.0.reason?.rawValue ?? "")
                < (other.0.environment.rawValue, other.0.status, other.0.reason?.rawValue ?? "")
        }
    }

    var json: JSONObject {
        [
            "answers": .array(
                sortedAnswers.map { answer, count in
                    [
                        "environment": .string(answer.environment.rawValue), "status": .number(answer.status),
                        "reason": .orNull(answer.reason?.rawValue), "count": .number(count),
                    ]
                }
            ),
            "stored": .number(stored), "coalesced": .number(coalesced), "expired": .number(expired),
            "delivered": .number(delivered), "waiting": .number(waiting), "devices": .number(devices),
            "providers": .number(providers),
        ]
    }
}
