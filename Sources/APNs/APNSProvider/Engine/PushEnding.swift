import APNSTransport
import PushModel

/// The outcome of sending a push, and the attempts before it.
struct PushEnding: Hashable, Sendable {
    var outcome: APNSOutcome
    /// The reasons for retries, made or pending.
    var retries: [String] = []
    /// The pause before the next attempt, if one is needed but was not made.
    var pause: Duration?
    /// The error with which APNs has reset the stream of every attempt.
    var reset: HTTP2ErrorCode?

    init(_ outcome: APNSOutcome) { self.outcome = outcome }

    init(_ outcome: APNSOutcome, after attempts: Attempts) {
        self.outcome = outcome
        retries = attempts.reasons
        pause = attempts.pauseWanted
        reset = attempts.reset
    }

    /// The ending as the result of a push of a batch.
    func result(at index: Int) -> APNSResult {
        var result = APNSResult(index: index, outcome: outcome, retries: retries, pause: pause)
        if case .failed = outcome { result.reset = reset.map { .streamReset("\($0)") } }
        return result
    }
}
