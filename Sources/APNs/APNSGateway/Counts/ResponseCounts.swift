import Foundation
import PushModel
import Synchronization

/// Counts answers other than accepted pushes, which are the majority, and remembers the last ones by apns-id.
final class ResponseCounts: Sendable {
    struct Entry: Hashable, Sendable {
        var id: APNSID
        var answer: GatewayCounts.Answer
        var date: Date
    }

    private struct State {
        var counts: [GatewayCounts.Answer: Int] = [:]
        var recent: [Entry] = []
        /// The index of the oldest entry of ``recent``, once it is full.
        var oldest = 0
    }

    /// The number of answers that are remembered.
    private static let remembered = 10_000
    /// The number of kinds of answers beyond which a reason is counted as `other`: a test may invent any number.
    private static let kinds = 200

    private let metrics: GatewayMetrics
    private let state = Mutex(State())

    init(metrics: GatewayMetrics) { self.metrics = metrics }

    var counts: [GatewayCounts.Answer: Int] { state.withLock(\.counts) }

    func answered(_ id: APNSID, _ given: GatewayCounts.Answer, at now: Date) {
        let answer = state.withLock { state in
            var answer = given
            if state.counts[answer] == nil, state.counts.count >= Self.kinds {
                answer.reason = APNSReason(rawValue: "other")
            }
            state.counts[answer, default: 0] += 1
            let entry = Entry(id: id, answer: given, date: now)
            if state.recent.count < Self.remembered {
                state.recent.append(entry)
            } else {
                state.recent[state.oldest] = entry
                state.oldest = (state.oldest + 1) % Self.remembered
            }
            return answer
        }
        metrics.answered(answer)
    }

    /// The remembered answers to a push, oldest first.
    func answers(to id: APNSID) -> [Entry] {
        state.withLock { state in
            (state.recent[state.oldest...] + state.recent[..<state.oldest]).filter { $0.id == id }
        }
    }
}
