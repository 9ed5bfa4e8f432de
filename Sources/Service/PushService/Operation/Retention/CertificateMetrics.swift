import Foundation
import Metrics
import PushModel
import Synchronization

/// The days left of each certificate, reported through swift-metrics.
///
/// * `push.service.certificate.days`: days until the first certificate in use expires, by `push.app` (its key) and `push.environment`.
///   Negative after that; absent where keys send all pushes.
final class CertificateMetrics: Sendable {
    private struct Key: Hashable {
        let app: String
        let environment: APNSEnvironment
    }

    private let factory = MetricsSystem.factory
    private let gauges = Mutex<[Key: Gauge]>([:])

    /// Records all certificates. One that was there before and is not among them is no longer reported.
    func record(_ certificates: [UsedCertificate], at now: Date) {
        // Several send different topics; the one that ends first is what somebody has to act on.
        var ends: [Key: Date] = [:]
        for one in certificates {
            let key = Key(app: one.app.key.text, environment: one.environment)
            ends[key] = min(ends[key] ?? .distantFuture, one.certificate.notAfter)
        }
        gauges.withLock { gauges in
            for (key, end) in ends {
                let gauge = gauges[key] ?? makeGauge(key)
                gauge.record(end.timeIntervalSince(now) / 86_400)
                gauges[key] = gauge
            }
            for (key, gauge) in gauges where ends[key] == nil {
                gauge.destroy()
                gauges[key] = nil
            }
        }
    }

    private func makeGauge(_ key: Key) -> Gauge {
        Gauge(
            label: "push.service.certificate.days",
            dimensions: [("push.app", key.app), ("push.environment", key.environment.rawValue)],
            factory: factory
        )
    }
}
