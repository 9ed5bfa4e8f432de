package import Foundation
package import PushModel

/// A certificate of an app with its key, as uploaded.
package struct KeptCertificate: Hashable, Sendable {
    /// PKCS#12, or certificate and key in PEM.
    package var file: [UInt8]
    package var passPhrase: String
    package var notAfter: Date
    /// The SHA-256 of the certificate in DER: the file may have others.
    package var fingerprint: [UInt8]
}

extension CredentialVault {
    /// Returns the certificate of an app for an environment; nil if it has none.
    ///
    /// - Throws: if the certificate was sealed with another service's secret; ``UnusableCertificate`` if it is damaged.
    package func certificate(of app: App.ID, _ environment: APNSEnvironment) async throws -> KeptCertificate? {
        guard let kept = try await store.certificate(of: app, environment) else { return nil }
        let opened = try seal.open(kept.sealed, at: .certificate(app, environment))
        // The format is the length of the pass phrase, the pass phrase, the file.
        guard let length = opened.first, opened.count > Int(length) else {
            throw UnusableCertificate("The certificate in the database is damaged; upload it again.")
        }
        return KeptCertificate(
            file: Array(opened[(1 + Int(length))...]),
            passPhrase: String(decoding: opened[1..<1 + Int(length)], as: UTF8.self),
            notAfter: kept.notAfter,
            fingerprint: kept.fingerprint
        )
    }

    /// Seals a certificate.
    ///
    /// - Throws: ``UnusableCertificate`` for a pass phrase of more than 255 bytes.
    func seal(
        _ certificate: KeptCertificate,
        facts: InspectedCertificate,
        of app: App.ID,
        _ environment: APNSEnvironment
    ) throws -> SealedCertificate {
        guard let length = UInt8(exactly: certificate.passPhrase.utf8.count) else {
            throw UnusableCertificate("Its pass phrase has more than 255 bytes.")
        }
        return SealedCertificate(
            app: app,
            environment: environment,
            sealed: try seal.seal(
                [length] + Array(certificate.passPhrase.utf8) + certificate.file,
                at: .certificate(app, environment)
            ),
            topic: facts.bundleID,
            notAfter: facts.notAfter,
            fingerprint: facts.fingerprint
        )
    }
}
