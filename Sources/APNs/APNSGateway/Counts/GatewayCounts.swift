import Foundation
package import PushModel
import Synchronization

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
        let answers: [JSONMembers] = sortedAnswers.map { answer, count in
            [
                "environment": answer.environment, "status": answer.status, "reason": answer.reason?.rawValue,
                "count": count,
            ]
        }
        return JSONObject(present: [
            "answers": answers, "stored": stored, "coalesced": coalesced, "expired": expired, "delivered": delivered,
            "waiting": waiting, "devices": devices, "providers": providers,
        ])
    }
}

/// Totals that change with nearly every push. They are stored next to the mailboxes, under the same lock.
struct GatewayTally: Sendable {
    private var acceptedInDevelopment = 0
    private var acceptedInProduction = 0
    /// The counts, without those of answers and connections.
    var counts = GatewayCounts()

    func accepted(_ environment: APNSEnvironment) -> Int {
        environment == .development ? acceptedInDevelopment : acceptedInProduction
    }

    mutating func accept(_ environment: APNSEnvironment) {
        if environment == .development { acceptedInDevelopment += 1 } else { acceptedInProduction += 1 }
    }

    @inline(__always)
    mutating func count(_ kind: JourneyEvent.Kind) {
        switch kind {
        case .stored: counts.stored += 1
        case .coalesced: counts.coalesced += 1
        case .expired: counts.expired += 1
        case .delivered: counts.delivered += 1
        default: break
        }
    }
}

/// Counts answers other than accepted pushes, which are the majority, and remembers the last ones by apns-id.
final class ResponseCounts: Sendable {
    struct Entry: Hashable, Sendable {
        var id: APNSID
        var answer: GatewayCounts.Answer
        var date: Date
    }

    private struct State {
        var counts: [GatewayCounts.Answer: Int] = [:]
        var recent = Ring<Entry>()
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
            state.recent.append(Entry(id: id, answer: given, date: now), capacity: Self.remembered)
            return answer
        }
        metrics.answered(answer)
    }

    /// The remembered answers to a push, oldest first.
    func answers(to id: APNSID) -> [Entry] { state.withLock(\.recent).inOrder.filter { $0.id == id } }
}
