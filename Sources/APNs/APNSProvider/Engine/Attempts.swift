import APNSTransport
import PushModel

/// The attempts to send one push: the attempts so far, and the next step after each. Times are values; it reads no clock.
struct Attempts: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case done(APNSOutcome)
        case again(Again)
    }

    struct Again: Hashable, Sendable {
        /// The reason: APNs' reason, or `connection`.
        var reason: String
        var pause: Duration = .zero
        /// Whether the connection is no longer usable for any push.
        var leavesConnection = false
        /// Whether the provider token is no longer usable.
        var renewsToken = false
    }

    /// The latest time for an attempt.
    let deadline: Duration
    /// The latest time for the outcome, if the caller has set one.
    let limit: Duration?
    /// The time when the push is no longer useful to anybody; no pause goes beyond it.
    let expiry: Duration?
    private(set) var count: Int32 = 0
    private var pauses: Int32 = 0
    private var losses: Int32 = 0
    private var hasRenewed = false
    /// Whether an attempt may follow after a pause.
    private let mayPause: Bool
    /// The error with which APNs has reset the stream of every attempt so far; nil if there was another failure.
    private(set) var reset: HTTP2ErrorCode?
    /// The reasons for retries, made or pending.
    private(set) var reasons: [String] = []
    /// The pause before an attempt that is needed but not made here.
    private(set) var pauseWanted: Duration?

    /// `expiry` is the push's expiration, on the same clock as the deadline.
    init(deadline: Duration, limit: Duration? = nil, expiry: Duration? = nil, mayPause: Bool = true) {
        self.deadline = deadline
        self.limit = limit
        self.expiry = expiry
        self.mayPause = mayPause
    }

    /// Records that APNs has refused the push.
    mutating func refused(_ refusal: APNSRefusal, at now: Duration, _ rules: APNSClientConfiguration) -> Step {
        let reason = refusal.reason
        if reason == .expiredProviderToken, !hasRenewed {
            // The service keeps refusing on a connection that has seen an expired token: both are replaced.
            hasRenewed = true
            count += 1
            return again(Again(reason: reason.rawValue, leavesConnection: true, renewsToken: true), at: now, rules)
        }
        guard refusal.advice.action == .retry else { return .done(refusal.outcome) }
        count += 1
        pauses += 1
        let pause = max(rules.pause(after: Int(pauses)), refusal.retryAfter ?? .zero)
        let leaves = [.tooManyProviderTokenUpdates, .shutdown, .idleTimeout].contains(reason)
        return again(Again(reason: reason.rawValue, pause: pause, leavesConnection: leaves), at: now, rules)
    }

    /// Records that the push got no answer.
    mutating func lost(_ failure: APNSStreamFailure, at now: Duration, _ rules: APNSClientConfiguration) -> Step {
        let next = Again(reason: Self.connection)
        // The connection was gone before the push was processed: this does not count as an attempt.
        if failure.fate == .notProcessed {
            reasons.append(next.reason)
            return now < deadline ? .again(next) : .done(gaveUp(failure.reason, rules))
        }
        count += 1
        reset = losses == 0 || reset == failure.reset ? failure.reset : nil
        losses += 1
        // The first losses are retried at once; a series of them is no accident.
        guard losses > Self.freeLosses else { return again(next, at: now, rules, because: failure.reason) }
        pauses += 1
        let pause = rules.pause(after: Int(pauses))
        return again(Again(reason: Self.connection, pause: pause), at: now, rules, because: failure.reason)
    }

    /// The outcome when the deadline has passed.
    func gaveUp(_ reason: String, _ rules: APNSClientConfiguration) -> APNSOutcome {
        .failed("Given up after \(count) attempts within \(rules.deadline): \(reason).")
    }

    private mutating func again(
        _ next: Again,
        at now: Duration,
        _ rules: APNSClientConfiguration,
        because reason: String? = nil
    ) -> Step {
        let moment = now + next.pause
        reasons.append(next.reason)
        guard mayPause || next.pause == .zero else {
            pauseWanted = next.pause
            return .done(gaveUp(reason ?? next.reason, rules))
        }
        let isOfUse = next.pause == .zero || expiry.map { moment < $0 } ?? true
        guard count < rules.attempts, moment < deadline, isOfUse else {
            return .done(gaveUp(reason ?? next.reason, rules))
        }
        return .again(next)
    }

    static let connection = "connection"
    private static let freeLosses = 3
}

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
            let retryAfter = outcomes.value(.retryAfter, of: outcome)
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
