package import Foundation
package import PushModel

/// Reads uploaded certificates.
package protocol CertificateInspector: Sendable {
    /// Reads a certificate.
    ///
    /// - Throws: ``UnusableCertificate``; ``TooManyUploads``.
    func inspect(p12: [UInt8], passPhrase: String) async throws -> InspectedCertificate
}

/// The error for an upload while too many certificates wait to be read.
package struct TooManyUploads: Error, CustomStringConvertible {
    /// The delay in seconds before the next attempt.
    package var retryAfter: Int
    package var description: String {
        "Too many certificates are being read; upload it again in \(retryAfter) seconds."
    }

    package init(retryAfter: Int) { self.retryAfter = retryAfter }
}

package struct InspectedCertificate: Hashable, Sendable {
    /// The bundle id, without the topic suffix of other push types.
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

/// The error for a file that is not a usable push certificate, with the reason as a sentence.
package struct UnusableCertificate: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
