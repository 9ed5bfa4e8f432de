package import Foundation
import Logging
import PushClock
import PushModel

/// Logs a warning once each at 30, 22, 15, 8 and 1 days before a certificate expires, and when it has expired.
///
/// The app's pushes then wait, which is up to the sender. Certificates of apps with a key are not in use, so they are skipped.
package struct CertificateWatch: Sendable {
    let store: any CredentialStore
    let registry: Registry
    let metrics: CertificateMetrics
    let clock: any CivilClock
    let logger: Logger

    /// The days before expiry, in descending order; 0 is the expiry.
    package static let days = [30, 22, 15, 8, 1, 0]

    /// Returns the last of ``days`` that has been reached; nil if none has.
    package static func reached(_ end: Date, at now: Date) -> Int? {
        let left = end.timeIntervalSince(now) / 86_400
        return days.last { left <= Double($0) }
    }

    /// Measures the days left after a change of certificates. The next round repeats it if the store fails.
    func measure() async {
        if let certificates = try? await usedCertificates() { record(certificates, at: clock.date) }
    }

    private func usedCertificates() async throws -> [SealedCertificate] {
        var used: [SealedCertificate] = []
        for certificate in try await store.certificates() where try await store.credential(of: certificate.app) == nil {
            used.append(certificate)
        }
        return used
    }

    private func record(_ certificates: [SealedCertificate], at now: Date) {
        metrics.record(certificates.compactMap { one in registry.app(one.app).map { ($0, one) } }, at: now)
    }

    func look(at now: Date) async throws {
        let certificates = try await usedCertificates()
        record(certificates, at: now)
        for certificate in certificates {
            guard let days = Self.reached(certificate.notAfter, at: now), days < certificate.warnedDays ?? .max else {
                continue
            }
            let facts: Logger.Metadata = [
                "app.key": "\(registry.app(certificate.app)?.key.text ?? "")", "apns.topic": "\(certificate.topic)",
                "apns.environment": "\(certificate.environment)",
                "certificate.end": "\(certificate.notAfter.formatted(.iso8601))",
            ]
            let left = CredentialFacts.daysLeft(certificate.notAfter, at: now)
            if days == 0 {
                logger.warning("An app's APNs certificate has expired; its pushes wait", metadata: facts)
            } else {
                logger.warning(
                    "An app's APNs certificate expires soon; upload a new one",
                    metadata: facts.merging(["days": "\(left)"]) { $1 }
                )
            }
            try await store.warned(of: certificate, days: days)
        }
    }
}
