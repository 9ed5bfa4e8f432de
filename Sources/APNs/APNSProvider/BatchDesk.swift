import APNSTransport
import PushModel
import Synchronization

/// Sorts what a connection tells by the batches that wait for it.
final class BatchDesk: Sendable {
    private struct State {
        var runs: [UInt64: BatchRun] = [:]
        var number: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The bits of a tag that say the push's index.
    private static let indexBits: UInt64 = 32

    func add(_ run: BatchRun) -> UInt64 {
        state.withLock { state in
            state.number = (state.number + 1) & 0x3FFF_FFFF
            state.runs[state.number] = run
            return state.number
        }
    }

    func remove(_ number: UInt64) { state.withLock { _ = $0.runs.removeValue(forKey: number) } }

    static func tag(_ number: UInt64, _ index: Int) -> UInt64 { number << indexBits | UInt64(index) }

    static func tags(_ number: UInt64) -> ClosedRange<UInt64> {
        number << indexBits...(number << indexBits | (1 << indexBits - 1))
    }

    func take(_ outcomes: HTTP2Outcomes) {
        var rest = outcomes.outcomes[...].drop { $0.tag >> 63 == 1 }
        while let first = rest.first {
            let number = first.tag >> Self.indexBits
            let end = rest.firstIndex { $0.tag >> Self.indexBits != number } ?? rest.endIndex
            state.withLock({ $0.runs[number] })?.take(outcomes, rest.startIndex..<end)
            rest = rest[end...].drop { $0.tag >> 63 == 1 }
        }
    }
}

/// One batch on one connection: counts its outcomes, hands on the results, and keeps what is not decided.
final class BatchRun: Sendable {
    /// What a round has left over.
    struct Rest: Sendable {
        /// The connection was gone before they were looked at.
        var notProcessed: [Int] = []
        /// To be tried again one by one.
        var failed: [Int] = []
        var progress = 0
    }

    private struct State {
        var missing = 0
        var rest = Rest()
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let results: @Sendable ([APNSResult]) -> Void
    private let state = Mutex(State())

    init(results: @escaping @Sendable ([APNSResult]) -> Void) { self.results = results }

    /// Expects outcomes for so many pushes.
    func begin(_ count: Int) {
        state.withLock { state in
            state.missing = count
            state.rest = Rest()
        }
    }

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

    func take(_ outcomes: HTTP2Outcomes, _ range: Range<Int>) {
        var ready: [APNSResult] = []
        ready.reserveCapacity(range.count)
        var notProcessed: [Int] = []
        var failed: [Int] = []
        for outcome in outcomes.outcomes[range] {
            let index = Int(outcome.tag & 0xFFFF_FFFF)
            switch outcome.status {
            case 200: ready.append(APNSResult(index: index, outcome: .accepted))
            case nil where outcomes.failure(outcome).fate == .notProcessed: notProcessed.append(index)
            case let status?:
                let refusal = APNSRefusal(status: status, body: Array(outcomes.bytes[outcome.body]))
                if refusal.isFinal {
                    ready.append(APNSResult(index: index, outcome: refusal.outcome))
                } else {
                    failed.append(index)
                }
            case nil: failed.append(index)
            }
        }
        if !ready.isEmpty { results(ready) }
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.missing -= range.count
            state.rest.progress += range.count
            state.rest.notProcessed += notProcessed
            state.rest.failed += failed
            guard state.missing <= 0 else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
