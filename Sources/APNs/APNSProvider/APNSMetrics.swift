import Metrics
import PushModel

/// The client's metrics, reported through swift-metrics.
///
/// * `apns.client.request.duration`: the time from handing a push to a connection to its answer.
/// * `apns.client.connections`: the number of open connections.
/// * `apns.client.pushes`: outcomes, by `apns.outcome` (`accepted`, `refused`, `failed`) and, if refused, `apns.reason`.
/// * `apns.client.retries`: retries, by `apns.reason`, or `connection`.
///
/// Reasons that Apple does not document are counted as `other`.
struct APNSMetrics: Sendable {
    private let duration = Timer(label: "apns.client.request.duration", preferredDisplayUnit: .seconds)
    private let connections = Gauge(label: "apns.client.connections")
    private let accepted = Self.pushes("accepted")
    private let failed = Self.pushes("failed")
    private let refused: [APNSReason: Counter]
    private let refusedOtherwise = Self.pushes("refused", "other")
    private let retries: [String: Counter]
    private let retriesOtherwise = Counter(label: "apns.client.retries", dimensions: [("apns.reason", "other")])

    init() {
        let reasons = APNSReason.documented
        refused = Dictionary(uniqueKeysWithValues: reasons.map { ($0, Self.pushes("refused", $0.rawValue)) })
        let words = reasons.filter { $0.advice.action == .retry || $0 == .expiredProviderToken }.map(\.rawValue)
        retries = Dictionary(
            uniqueKeysWithValues: (words + [Attempts.connection]).map {
                ($0, Counter(label: "apns.client.retries", dimensions: [("apns.reason", $0)]))
            }
        )
    }

    private static func pushes(_ outcome: String, _ reason: String? = nil) -> Counter {
        let dimensions = [("apns.outcome", outcome)] + (reason.map { [("apns.reason", $0)] } ?? [])
        return Counter(label: "apns.client.pushes", dimensions: dimensions)
    }

    func answered(within latency: Duration) {
        let (seconds, attoseconds) = latency.components
        duration.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    func connections(_ count: Int) { connections.record(count) }

    func ended(_ outcome: APNSOutcome) {
        switch outcome {
        case .accepted: accepted.increment()
        case .refused(_, let reason, _): (refused[reason] ?? refusedOtherwise).increment()
        case .failed: failed.increment()
        }
    }

    func accepted(_ count: Int) { accepted.increment(by: count) }

    func retried(_ reason: String) { (retries[reason] ?? retriesOtherwise).increment() }
}
