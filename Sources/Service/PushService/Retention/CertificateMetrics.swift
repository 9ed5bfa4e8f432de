import Foundation
import Metrics
import PushModel
import Synchronization

/// The days left of each certificate, reported through swift-metrics.
///
/// * `push.service.certificate.days`: days until a certificate expires, by `push.app` (its key) and `push.environment`. Negative after
///   that; absent for an app without a certificate, and for one with a key, which goes first.
final class CertificateMetrics: Sendable {
    private struct Key: Hashable {
        let app: String
        let environment: APNSEnvironment
    }

    private let factory = MetricsSystem.factory
    private let gauges = Mutex<[Key: Gauge]>([:])

    /// Records all certificates. One that was there before and is not among them is no longer reported.
    func record(_ certificates: [(app: App, certificate: SealedCertificate)], at now: Date) {
        gauges.withLock { gauges in
            var gone = gauges
            for (app, certificate) in certificates {
                let key = Key(app: app.key.text, environment: certificate.environment)
                let gauge = gauges[key] ?? makeGauge(key)
                gauge.record(certificate.notAfter.timeIntervalSince(now) / 86_400)
                gauges[key] = gauge
                gone[key] = nil
            }
            for (key, gauge) in gone {
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
