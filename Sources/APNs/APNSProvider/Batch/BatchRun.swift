import APNSTransport
import PushModel
import Synchronization

/// One batch on its connections: counts outcomes, passes on results, and keeps undecided pushes.
final class BatchRun: Sendable {
    /// The pushes that a round leaves over.
    struct Rest: Sendable {
        /// Pushes whose connection was gone before they were processed.
        var notProcessed: [Int] = []
        /// Pushes to be retried one by one.
        var failed: [(index: Int, attempts: Attempts, next: Attempts.Again)] = []
        var progress = 0
    }

    private struct State {
        var missing = 0
        var rest = Rest()
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// Returns the state of a push of the batch before its first attempt.
    private let fresh: @Sendable (Int) -> Attempts
    let tokenNumber: Int32
    private let results: @Sendable ([APNSResult]) -> Void
    private let state: Mutex<State>

    /// Creates a run that expects `count` outcomes.
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

    /// The number of bits of a tag that contain the push's index.
    private static let indexBits: UInt64 = 32

    static func tag(_ number: UInt64, _ index: Int) -> UInt64 { number << indexBits | UInt64(index) }

    static func tags(_ number: UInt64) -> ClosedRange<UInt64> {
        number << indexBits...(number << indexBits | (1 << indexBits - 1))
    }

    static func number(_ tag: UInt64) -> UInt64 { tag >> indexBits }

    /// The number of outcomes received.
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

    /// - Returns: the refusals, which may concern the connection or the credential; and the waiter for the end, if this was the
    ///   last outcome: to be resumed once the refusals have been applied.
    func receive(
        _ outcomes: HTTP2Outcomes,
        in range: Range<Int>,
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
            let judged = attempts.judge(outcome, of: outcomes, at: now, rules)
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
