package import Foundation
import PushModel

/// Seals the secrets of the apps' credentials before they are stored, and opens them.
package struct CredentialVault: Sendable {
    package let store: any CredentialStore
    let seal: CredentialSeal
    let aliasProofs: AliasProofs

    package init(store: any CredentialStore, keys: ServiceKeys) {
        self.store = store
        seal = CredentialSeal(keys)
        aliasProofs = AliasProofs(keys)
    }

    /// The secret of a credential.
    package enum Secret: Hashable, Sendable {
        case key(Credential)
        case certificate(KeptCertificate)
    }

    /// Returns the secret of a credential.
    ///
    /// - Throws: if it was sealed with another service's secret, or for another app; ``UnusableCertificate`` if it is damaged.
    package func open(_ credential: SealedCredential) throws -> Secret {
        switch credential.content {
        case .key(let key):
            let secret = try seal.open(credential.sealed, atOneOf: credential.places)
            return .key(
                Credential(keyID: key.id, teamID: key.teamID, privateKey: String(decoding: secret, as: UTF8.self))
            )
        case .certificate(let certificate):
            let secret = try seal.open(credential.sealed, atOneOf: credential.places)
            // The format is the length of the pass phrase, the pass phrase, the file.
            guard let length = secret.first, secret.count > Int(length) else {
                throw UnusableCertificate("The certificate in the database is damaged; upload it again.")
            }
            return .certificate(
                KeptCertificate(
                    file: Array(secret[(1 + Int(length))...]),
                    passPhrase: String(decoding: secret[1..<1 + Int(length)], as: UTF8.self),
                    notAfter: certificate.notAfter,
                    fingerprint: certificate.fingerprint
                )
            )
        }
    }

    /// Returns whether the store has sealed credentials, and none of them opens with this service's keys.
    package func opensNothing() async throws -> Bool {
        let sealed = try await store.credentials()
        return !sealed.isEmpty && !sealed.contains { (try? seal.open($0.sealed, atOneOf: $0.places)) != nil }
    }

    /// Adds a key for everything to an app's set; pushes that wait for a credential are sent.
    ///
    /// - Returns: its id.
    @discardableResult
    package func add(
        _ credential: Credential,
        of app: App.ID,
        at now: Date
    ) async throws -> SealedCredential.ID {
        let sealed = try sealed(credential, of: app, scope: CredentialScope(), at: now)
        return try await store.change(CredentialChange(add: [sealed]), of: app).added[0]
    }

    /// Seals a key.
    func sealed(
        _ credential: Credential,
        of app: App.ID,
        scope: CredentialScope,
        at now: Date
    ) throws -> SealedCredential {
        let content = SealedCredential.Content.key(
            SealedCredential.Key(id: credential.keyID, teamID: credential.teamID)
        )
        let place = SealedPlace.credential(app, content)
        return SealedCredential(
            app: app,
            content,
            scope: scope,
            sealed: try seal.seal(Array(credential.privateKey.utf8), at: place),
            addedAt: now
        )
    }

    /// Seals a certificate.
    ///
    /// - Throws: ``UnusableCertificate`` for a pass phrase of more than 255 bytes.
    func sealed(
        _ certificate: KeptCertificate,
        facts: InspectedCertificate,
        of app: App.ID,
        origin: CredentialOrigin,
        scope: CredentialScope,
        at now: Date
    ) throws -> SealedCredential {
        guard let length = UInt8(exactly: certificate.passPhrase.utf8.count) else {
            throw UnusableCertificate("Its pass phrase has more than 255 bytes.")
        }
        let content = SealedCredential.Content.certificate(
            SealedCredential.Certificate(
                bundleID: facts.bundleID,
                topics: facts.topics,
                notAfter: facts.notAfter,
                fingerprint: facts.fingerprint
            )
        )
        let secret = [length] + Array(certificate.passPhrase.utf8) + certificate.file
        return SealedCredential(
            app: app,
            content,
            origin: origin,
            scope: scope,
            sealed: try seal.seal(secret, at: .credential(app, content)),
            addedAt: now
        )
    }
}

/// A certificate of an app with its key, as uploaded.
package struct KeptCertificate: Hashable, Sendable {
    /// PKCS#12, or certificate and key in PEM.
    package var file: [UInt8]
    package var passPhrase: String
    package var notAfter: Date
    /// The SHA-256 of the certificate in DER: the file may have others.
    package var fingerprint: [UInt8]
}

extension SealedCredential {
    /// The places that its secret may have been sealed for, today's first.
    fileprivate var places: [SealedPlace] {
        let today = SealedPlace.credential(app, content)
        guard origin == .earlier else { return [today] }
        switch content {
        case .key: return [today, .providerKey(app)]
        // The same certificate in both environments was sealed for each, and one of them was kept.
        case .certificate: return [today] + APNSEnvironment.allCases.map { .certificate(app, $0) }
        }
    }
}
