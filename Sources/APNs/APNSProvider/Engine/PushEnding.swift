/// The outcome of sending a push, and the attempts before it.
struct PushEnding: Hashable, Sendable {
    var outcome: APNSOutcome
    /// The reasons for retries, made or pending.
    var retries: [String] = []
    /// The pause before the next attempt, if one is needed but was not made.
    var pause: Duration?

    init(_ outcome: APNSOutcome) { self.outcome = outcome }

    init(_ outcome: APNSOutcome, after attempts: Attempts) {
        self.outcome = outcome
        retries = attempts.reasons
        pause = attempts.pauseWanted
    }

    /// The ending as the result of a push of a batch.
    func result(at index: Int) -> APNSResult {
        APNSResult(index: index, outcome: outcome, retries: retries, pause: pause)
    }
}
