import APNSTransport
import PushModel
import Synchronization

/// One batch on its connections: counts its outcomes, hands on the results, and keeps what is not decided.
final class BatchRun: Sendable {
    /// What a round has left over.
    struct Rest: Sendable {
        /// The connection was gone before they were looked at.
        var notProcessed: [Int] = []
        /// To be tried again one by one.
        var failed: [(index: Int, attempts: Attempts, next: Attempts.Again)] = []
        var progress = 0
    }

    private struct State {
        var missing = 0
        var rest = Rest()
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// Where a push of the batch stands before its first attempt.
    private let fresh: @Sendable (Int) -> Attempts
    let tokenNumber: Int32
    private let results: @Sendable ([APNSResult]) -> Void
    private let state: Mutex<State>

    /// Expects outcomes for `count` pushes.
    init(
        count: Int,
        tokenNumber: Int32,
        fresh: @escaping @Sendable (Int) -> Attempts,
        results: @escaping @Sendable ([APNSResult]) -> Void
    ) {
        self.fresh = fresh
        self.tokenNumber = tokenNumber
        self.results = results
        state = Mutex(State(missing: count))
    }

    /// The bits of a tag that say the push's index.
    private static let indexBits: UInt64 = 32

    static func tag(_ number: UInt64, _ index: Int) -> UInt64 { number << indexBits | UInt64(index) }

    static func tags(_ number: UInt64) -> ClosedRange<UInt64> {
        number << indexBits...(number << indexBits | (1 << indexBits - 1))
    }

    static func number(_ tag: UInt64) -> UInt64 { tag >> indexBits }

    /// How many outcomes have come.
    var progress: Int { state.withLock(\.rest.progress) }

    /// Waits for the last outcome.
    func finish() async -> Rest {
        await withCheckedContinuation { waiter in
            let isDone = state.withLock { state in
                if state.missing == 0 { return true }
                state.waiter = waiter
                return false
            }
            if isDone { waiter.resume() }
        }
        return state.withLock(\.rest)
    }

    /// - Returns: what was not accepted, as far as it says something about connection or credential; and who waits for the end,
    ///   if this was the last of it: to be resumed when the former has been applied.
    func take(
        _ outcomes: HTTP2Outcomes,
        _ range: Range<Int>,
        at now: Duration,
        _ rules: APNSClientConfiguration
    ) -> (said: [Attempts.Judged], waiter: CheckedContinuation<Void, Never>?) {
        var ready: [APNSResult] = []
        ready.reserveCapacity(range.count)
        var notProcessed: [Int] = []
        var failed: [(index: Int, attempts: Attempts, next: Attempts.Again)] = []
        var said: [Attempts.Judged] = []
        for outcome in outcomes.outcomes[range] {
            let index = Int(outcome.tag & (1 << Self.indexBits - 1))
            if outcome.status == 200 {
                ready.append(APNSResult(index: index, outcome: .accepted))
                continue
            }
            if outcome.status == nil, outcomes.failure(outcome).fate == .notProcessed {
                notProcessed.append(index)
                continue
            }
            var attempts = fresh(index)
            let judged = attempts.take(outcome, of: outcomes, at: now, rules)
            switch judged.step {
            case .done(let outcome): ready.append(PushEnding(outcome, after: attempts).result(at: index))
            case .again(let next): failed.append((index, attempts, next))
            }
            if judged.refusal != nil { said.append(judged) }
        }
        if !ready.isEmpty { results(ready) }
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.missing -= range.count
            state.rest.progress += range.count
            state.rest.notProcessed += notProcessed
            state.rest.failed += failed
            guard state.missing <= 0 else { return nil }
            return state.waiter.take()
        }
        return (said, waiter)
    }
}
