import APNSProvider
import Crypto
import PushModel
package import PushService

/// Reads certificates with the provider client's own eyes, so that what is taken can be pushed with.
package struct CertificateReader: CertificateInspector {
    package init() {}

    package func inspect(p12: [UInt8], passPhrase: String) throws(UnusableCertificate) -> CertificateFacts {
        let certificate: APNSCertificate
        do { certificate = try APNSCertificate(p12: p12, passPhrase: passPhrase) } catch {
            throw UnusableCertificate(error.description)
        }
        // The shortest is the bundle id itself; others add `.voip` and the like.
        guard let bundleID = certificate.topics.min(by: { $0.utf8.count < $1.utf8.count }) else {
            throw UnusableCertificate("It names no topic; expected a certificate for pushes.")
        }
        let der: [UInt8]
        do { der = try certificate.der() } catch { throw UnusableCertificate("It cannot be read: \(error).") }
        return CertificateFacts(
            bundleID: bundleID,
            environments: certificate.environments,
            notAfter: certificate.notValidAfter,
            fingerprint: Array(SHA256.hash(data: der))
        )
    }
}
