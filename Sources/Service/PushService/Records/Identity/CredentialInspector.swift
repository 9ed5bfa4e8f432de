package import Foundation
package import PushModel

/// Reads uploaded certificates.
package protocol CredentialInspector: Sendable {
    /// Reads the certificates of a file with their private keys: PKCS#12 or PEM.
    ///
    /// - Throws: ``UnusableCertificate`` if none is for pushes; ``TooManyUploads``.
    func inspect(_ file: [UInt8], passPhrase: String) async throws -> InspectedFile
}

/// The certificates of a file, of which an app uses one. Export tools write all that they know of into one file.
package struct InspectedFile: Hashable, Sendable {
    /// The certificates for pushes, in the order of the file; at least one.
    package var certificates: [InspectedCertificate]
    /// The names of others, such as those for signing apps.
    package var others: [String]

    package init(_ first: InspectedCertificate, _ rest: [InspectedCertificate] = [], others: [String] = []) {
        certificates = [first] + rest
        self.others = others
    }

    /// Returns the certificate that fits best, and the names of all others. Any app and any environment fit nil.
    ///
    /// The app weighs most, then the environment, then the validity; the first one decides among equal ones.
    package func choice(
        for bundleID: String?,
        in environment: APNSEnvironment?,
        at date: Date
    ) -> (certificate: InspectedCertificate, leftOut: [String]) {
        let chosen = certificates.preferring(
            { bundleID == nil || $0.bundleID == bundleID },
            { environment.map($0.environments.contains) ?? true },
            { $0.notBefore <= date && $0.notAfter > date }
        )[0]
        let rest = certificates.filter { $0 != chosen }
        return (chosen, rest.map { $0.commonName ?? $0.bundleID } + others)
    }
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
    /// The allowed values of `apns-topic`.
    package var topics: [String]
    package var teamID: String?
    package var commonName: String?
    package var notBefore: Date
    package var notAfter: Date
    package var fingerprint: [UInt8]

    package init(
        bundleID: String,
        environments: Set<APNSEnvironment>,
        topics: [String],
        teamID: String?,
        commonName: String?,
        notBefore: Date,
        notAfter: Date,
        fingerprint: [UInt8]
    ) {
        self.bundleID = bundleID
        self.environments = environments
        self.topics = topics
        self.teamID = teamID
        self.commonName = commonName
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.fingerprint = fingerprint
    }
}

extension InspectedCertificate {
    /// Returns a remark about a certificate whose topics do not include that of VoIP pushes; nil for others.
    ///
    /// Source: Apple, "Sending notification requests to APNs", section on `apns-push-type`: a certificate needs the topic with the
    /// suffix `.voip`.
    static func voipNote(topics: [String], bundleID: String) -> Remark? {
        let topic = bundleID + ".voip"
        guard !topics.isEmpty, !topics.contains(topic) else { return nil }
        return Remark(.noVoIPTopic, ["topic": topic])
    }
}

/// The error for a file that is not a usable push certificate, with the reason as a sentence.
package struct UnusableCertificate: Error, Hashable, CustomStringConvertible {
    package var description: String
    package var reason: UnusableCredential

    package init(_ description: String, reason: UnusableCredential = .unreadable) {
        self.description = description
        self.reason = reason
    }
}
