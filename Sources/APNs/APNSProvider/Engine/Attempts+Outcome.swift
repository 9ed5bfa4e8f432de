import APNSTransport

extension Attempts {
    /// The decision on an outcome.
    struct Judged: Hashable, Sendable {
        var step: Step
        /// The refusal, if APNs refused the push.
        var refusal: APNSRefusal?
    }

    /// Judges the result from a connection.
    mutating func judge(
        _ outcome: HTTP2Outcomes.Outcome,
        of outcomes: HTTP2Outcomes,
        at now: Duration,
        _ rules: APNSClientConfiguration
    ) -> Judged {
        switch outcome.status {
        case 200: return Judged(step: .done(.accepted))
        case let status?:
            let retryAfter = outcomes.value(APNSField.retryAfter, of: outcome)
                .flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
            let refusal = APNSRefusal(
                status: status,
                body: Array(outcomes.bytes[outcome.body]),
                retryAfter: retryAfter.map { .seconds(min(max($0, 0), 86_400)) }
            )
            return Judged(step: refused(refusal, at: now, rules), refusal: refusal)
        case nil: return Judged(step: lost(outcomes.failure(outcome), at: now, rules))
        }
    }
}
