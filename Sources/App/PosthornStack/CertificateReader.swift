import APNSProvider
import Crypto
import Dispatch
import PushModel
package import PushService
import Synchronization

/// Reads certificates with the provider client's own eyes, so that what is taken can be pushed with.
///
/// A pass phrase takes up to seconds of a processor to try. So they are read one at a time, on a thread of their own: those that answer
/// requests are few, and have something else to do.
package final class CertificateReader: CertificateInspector {
    /// Certificates that are being read or wait for it. With a second each, who comes last waits as long as a client does.
    package static let waitingLimit = 16
    /// Seconds.
    private static let retryAfter = 5

    private let queue = DispatchQueue(label: "posthorn.certificates")
    private let waiting = Mutex(0)
    private let read:
        @Sendable (_ p12: [UInt8], _ passPhrase: String) -> Result<InspectedCertificate, UnusableCertificate>

    package convenience init() {
        self.init { p12, passPhrase in
            Result { () throws(UnusableCertificate) in try Self.facts(p12: p12, passPhrase: passPhrase) }
        }
    }

    /// * `read`: takes its time.
    package init(
        _ read:
            @escaping @Sendable (_ p12: [UInt8], _ passPhrase: String) -> Result<
                InspectedCertificate, UnusableCertificate
            >
    ) {
        self.read = read
    }

    package func inspect(p12: [UInt8], passPhrase: String) async throws -> InspectedCertificate {
        let mayWait = waiting.withLock { waiting in
            guard waiting < Self.waitingLimit else { return false }
            waiting += 1
            return true
        }
        guard mayWait else { throw TooManyUploads(retryAfter: Self.retryAfter) }
        defer { waiting.withLock { $0 -= 1 } }
        let result = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.read(p12, passPhrase)) }
        }
        return try result.get()
    }

    private static func facts(p12: [UInt8], passPhrase: String) throws(UnusableCertificate) -> InspectedCertificate {
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
        return InspectedCertificate(
            bundleID: bundleID,
            environments: certificate.environments,
            notAfter: certificate.notValidAfter,
            fingerprint: Array(SHA256.hash(data: der))
        )
    }
}
