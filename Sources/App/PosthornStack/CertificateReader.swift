import APNSProvider
import Dispatch
import PushModel
package import PushService
import Synchronization

/// Reads certificates with the provider client's code, so that an accepted certificate works for pushes.
///
/// Checking a passphrase can take seconds of CPU time. So certificates are read one at a time, on a separate thread: the few
/// threads that answer requests must stay free.
package final class CertificateReader: CredentialInspector {
    /// The maximum number of certificates being read or waiting. At a second each, the last one waits as long as a client does.
    package static let waitingLimit = 16
    /// The `Retry-After` of a refusal, in seconds.
    private static let retryAfter = 5

    private let queue = DispatchQueue(label: "posthorn.certificates")
    private let waiting = Mutex(0)
    private let read: @Sendable (_ file: [UInt8], _ passPhrase: String) -> Result<InspectedFile, UnusableCertificate>

    package convenience init() {
        self.init { file, passPhrase in
            Result { () throws(UnusableCertificate) in try Self.read(file, passPhrase: passPhrase) }
        }
    }

    /// Creates a reader; `read` may take seconds.
    package init(
        _ read:
            @escaping @Sendable (_ file: [UInt8], _ passPhrase: String) -> Result<
                InspectedFile, UnusableCertificate
            >
    ) {
        self.read = read
    }

    package func inspect(_ file: [UInt8], passPhrase: String) async throws -> InspectedFile {
        let mayWait = waiting.withLock { waiting in
            guard waiting < Self.waitingLimit else { return false }
            waiting += 1
            return true
        }
        guard mayWait else { throw TooManyUploads(retryAfter: Self.retryAfter) }
        defer { waiting.withLock { $0 -= 1 } }
        let result = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.read(file, passPhrase)) }
        }
        return try result.get()
    }

    private static func read(_ file: [UInt8], passPhrase: String) throws(UnusableCertificate) -> InspectedFile {
        let certificates: [APNSCertificate]
        do { certificates = try APNSCertificate.all(in: file, passPhrase: passPhrase) } catch {
            throw UnusableCertificate(error.description, reason: UnusableCredential(error.reason))
        }
        var facts: [InspectedCertificate] = []
        for certificate in certificates where certificate.isForPushes { facts.append(try Self.facts(certificate)) }
        // Says what the first one is.
        guard let first = facts.first else { return InspectedFile(try Self.facts(certificates[0])) }
        let others = certificates.filter { !$0.isForPushes }.map { $0.commonName ?? "a certificate without a name" }
        return InspectedFile(first, Array(facts.dropFirst()), others: others)
    }

    /// Returns the certificate with this fingerprint: of those in an uploaded file, the one that the app uses.
    static func certificate(_ kept: KeptCertificate) throws -> APNSCertificate {
        let all = try APNSCertificate.all(in: kept.file, passPhrase: kept.passPhrase)
        return all.first { $0.fingerprint == kept.fingerprint } ?? all[0]
    }

    static func facts(_ certificate: APNSCertificate) throws(UnusableCertificate) -> InspectedCertificate {
        // The shortest topic is the bundle id itself; others add suffixes such as `.voip`.
        let topic = certificate.topics.min { $0.utf8.count < $1.utf8.count }
        guard certificate.isForPushes, let bundleID = topic else {
            let name = (certificate.commonName ?? topic).map { "'\($0)' " } ?? ""
            throw UnusableCertificate(
                "The certificate \(name)is not for pushes; expected one that Apple issued as 'Apple Push Services'.",
                reason: .notForPushes
            )
        }
        return InspectedCertificate(
            bundleID: bundleID,
            environments: certificate.environments,
            topics: certificate.topics,
            teamID: certificate.teamID,
            commonName: certificate.commonName,
            notBefore: certificate.notValidBefore,
            notAfter: certificate.notValidAfter,
            fingerprint: certificate.fingerprint
        )
    }
}

extension UnusableCredential {
    fileprivate init(_ reason: APNSCertificate.Unreadable.Reason) {
        self =
            switch reason {
            case .malformed: .unreadable
            case .wrongPassPhrase: .wrongPassword
            case .keyMissing: .keyMissing
            case .certificateMissing: .certificateMissing
            case .keyMismatch: .keyMismatch
            }
    }
}
