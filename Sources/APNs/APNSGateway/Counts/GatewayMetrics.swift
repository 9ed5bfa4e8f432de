import Metrics
import PushModel
import Synchronization

/// The gateway's metrics, reported through swift-metrics.
///
/// * `apns.server.answers`: answers to providers, by `apns.environment`, `http.response.status_code` and, unless it is 200,
///   `apns.reason`.
/// * `apns.server.pushes`: pushes by `apns.event` (`stored`, `coalesced`, `expired`, `delivered`).
/// * `apns.server.waiting`: the number of pushes that wait for a device.
/// * `device.connections`: the number of linked devices.
final class GatewayMetrics: Sendable {
    /// Whether metrics are collected. Usually they are not, and then a push should not pay for them.
    private let isOn = !(MetricsSystem.factory is NOOPMetricsHandler)
    private let acceptedInDevelopment: Counter
    private let acceptedInProduction: Counter
    private let stored = GatewayMetrics.pushes("stored")
    private let coalesced = GatewayMetrics.pushes("coalesced")
    private let expired = GatewayMetrics.pushes("expired")
    private let delivered = GatewayMetrics.pushes("delivered")
    private let waiting = Gauge(label: "apns.server.waiting")
    private let devices = Gauge(label: "device.connections")
    private let factory = MetricsSystem.factory
    /// Counters that are created on first use and kept.
    private let others = Mutex<[GatewayCounts.Answer: Counter]>([:])

    init() {
        func accepted(_ environment: APNSEnvironment) -> Counter {
            Self.answers(GatewayCounts.Answer(environment: environment, status: 200), MetricsSystem.factory)
        }
        acceptedInDevelopment = accepted(.development)
        acceptedInProduction = accepted(.production)
    }

    private static func pushes(_ event: String) -> Counter {
        Counter(label: "apns.server.pushes", dimensions: [("apns.event", event)])
    }

    private static func answers(_ answer: GatewayCounts.Answer, _ factory: any MetricsFactory) -> Counter {
        let dimensions = [
            ("apns.environment", answer.environment.rawValue), ("http.response.status_code", String(answer.status)),
        ]
        let reason = answer.reason.map { [("apns.reason", $0.rawValue)] } ?? []
        return Counter(label: "apns.server.answers", dimensions: dimensions + reason, factory: factory)
    }

    func accepted(_ environment: APNSEnvironment) {
        guard isOn else { return }
        (environment == .development ? acceptedInDevelopment : acceptedInProduction).increment()
    }

    /// - Parameter answer: one of a bounded number of kinds.
    func answered(_ answer: GatewayCounts.Answer) {
        guard isOn else { return }
        let counter = others.withLock { others in
            if let counter = others[answer] { return counter }
            let counter = Self.answers(answer, factory)
            others[answer] = counter
            return counter
        }
        counter.increment()
    }

    func count(_ kind: JourneyEvent.Kind) {
        guard isOn else { return }
        switch kind {
        case .stored: stored.increment()
        case .coalesced: coalesced.increment()
        case .expired: expired.increment()
        case .delivered: delivered.increment()
        default: break
        }
    }

    func waiting(_ count: Int) { if isOn { waiting.record(count) } }
    func devices(_ count: Int) { if isOn { devices.record(count) } }
}
