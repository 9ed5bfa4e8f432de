package import Foundation
import Logging
import PushClock
import PushModel

/// Logs a warning once each at 30, 22, 15, 8 and 1 days before a certificate expires, and when it has expired.
///
/// The app's pushes then wait, which is up to the sender. Certificates that send nothing, such as those beside a key, are skipped.
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
        let now = clock.date
        if let certificates = try? await usedCertificates(at: now) { metrics.record(certificates, at: now) }
    }

    private func usedCertificates(at now: Date) async throws -> [UsedCertificate] {
        let credentials = Dictionary(grouping: try await store.credentials(), by: \.app)
        return credentials.sorted { $0.key < $1.key }.flatMap { id, credentials -> [UsedCertificate] in
            guard let app = registry.app(id) else { return [] }
            return CredentialSet(of: app, credentials).usedCertificates(at: now).compactMap { environment, credential in
                credential.certificate.map {
                    UsedCertificate(app: app, environment: environment, id: credential.id, certificate: $0)
                }
            }
        }
    }

    func look(at now: Date) async throws {
        let certificates = try await usedCertificates(at: now)
        metrics.record(certificates, at: now)
        // One that is used in both environments is warned of once.
        var seen: Set<SealedCredential.ID> = []
        for used in certificates where seen.insert(used.id).inserted {
            let certificate = used.certificate
            guard let days = Self.reached(certificate.notAfter, at: now), days < certificate.warnedDays ?? .max else {
                continue
            }
            let environments = certificates.filter { $0.id == used.id }.map(\.environment.rawValue)
            let facts: Logger.Metadata = [
                "app.key": "\(used.app.key.text)", "apns.topic": "\(certificate.bundleID)",
                "apns.environment": "\(environments.joined(separator: ", "))",
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
            try await store.warned(of: used.id, days: days)
        }
    }
}

/// A certificate that sends an app's pushes in an environment.
struct UsedCertificate: Sendable {
    let app: App
    let environment: APNSEnvironment
    let id: SealedCredential.ID
    let certificate: SealedCredential.Certificate
}
