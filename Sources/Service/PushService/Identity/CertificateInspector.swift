package import Foundation
package import PushModel

/// Reads a certificate that somebody uploads.
package protocol CertificateInspector: Sendable {
    /// - Throws: ``UnusableCertificate``; ``TooManyUploads``.
    func inspect(p12: [UInt8], passPhrase: String) async throws -> InspectedCertificate
}

/// So many certificates wait to be read that one more has to come later.
package struct TooManyUploads: Error, CustomStringConvertible {
    /// Seconds.
    package var retryAfter: Int
    package var description: String {
        "Too many certificates are being read; upload it again in \(retryAfter) seconds."
    }

    package init(retryAfter: Int) { self.retryAfter = retryAfter }
}

package struct InspectedCertificate: Hashable, Sendable {
    /// The bundle id, without what other push types add to it.
    package var bundleID: String
    package var environments: Set<APNSEnvironment>
    package var notAfter: Date
    package var fingerprint: [UInt8]

    package init(
        bundleID: String,
        environments: Set<APNSEnvironment>,
        notAfter: Date,
        fingerprint: [UInt8]
    ) {
        self.bundleID = bundleID
        self.environments = environments
        self.notAfter = notAfter
        self.fingerprint = fingerprint
    }
}

/// Why a file is no certificate to push with, in a sentence.
package struct UnusableCertificate: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
