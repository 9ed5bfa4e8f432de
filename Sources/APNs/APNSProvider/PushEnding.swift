/// How the sending of a push ended, and what was tried before.
struct PushEnding: Hashable, Sendable {
    var outcome: APNSOutcome
    /// Why it was sent again, or is to be.
    var retries: [String] = []
    /// How long to wait before the next attempt, where one was wanted and not made.
    var pause: Duration?

    init(_ outcome: APNSOutcome) { self.outcome = outcome }

    init(_ outcome: APNSOutcome, after attempts: Attempts) {
        self.outcome = outcome
        retries = attempts.reasons
        pause = attempts.pauseWanted
    }

    /// The same as the result of a push of a batch.
    func result(at index: Int) -> APNSResult {
        APNSResult(index: index, outcome: outcome, retries: retries, pause: pause)
    }
}
