import Crypto
package import Foundation
package import PushModel

/// Stores the apps' credentials, sealed.
package struct CredentialVault: Sendable {
    let store: any CredentialStore
    let seal: CredentialSeal

    package init(store: any CredentialStore, keys: ServiceKeys) {
        self.store = store
        seal = CredentialSeal(keys)
    }

    /// Returns whether the store has sealed credentials or certificates, and none of them opens with this service's keys.
    package func opensNothing(of apps: [App.ID]) async throws -> Bool {
        var sealed: [([UInt8], SealedPlace)] = []
        for app in apps {
            if let credential = try await store.credential(of: app) {
                sealed.append((credential.sealedPrivateKey, .providerKey(app)))
            }
        }
        sealed += try await store.certificates().map { ($0.sealed, .certificate($0.app, $0.environment)) }
        return !sealed.isEmpty && !sealed.contains { (try? seal.open($0, at: $1)) != nil }
    }

    /// Returns the credential of an app; nil if it has none.
    ///
    /// - Throws: if the credential was sealed with another service's secret.
    package func credential(of app: App.ID) async throws -> Credential? {
        guard let sealed = try await store.credential(of: app) else { return nil }
        let key = try seal.open(sealed.sealedPrivateKey, at: .providerKey(app))
        return Credential(keyID: sealed.keyID, teamID: sealed.teamID, privateKey: String(decoding: key, as: UTF8.self))
    }

    /// Replaces the app's credential; pushes that wait for one are sent.
    package func set(_ credential: Credential, of app: App.ID) async throws {
        let sealed = SealedCredential(
            keyID: credential.keyID,
            teamID: credential.teamID,
            sealedPrivateKey: try seal.seal(Array(credential.privateKey.utf8), at: .providerKey(app))
        )
        try await store.setCredential(sealed, of: app)
    }
}

/// The kind and owner of a sealed secret. They are part of the seal: a secret copied to another place does not open there.
package enum SealedPlace: Hashable, Sendable {
    /// The key that signs an app's provider tokens, for both environments.
    case providerKey(App.ID)
    case certificate(App.ID, APNSEnvironment)
    /// The master secret of an app that a developer created.
    case masterSecret(AppKey)

    fileprivate var bytes: [UInt8] {
        let text =
            switch self {
            case .providerKey(let app): "provider-key/\(app)"
            case .certificate(let app, let environment): "certificate/\(app)/\(environment.rawValue)"
            case .masterSecret(let key): "master-secret/\(key.text)"
            }
        return Array(text.utf8)
    }
}

/// Seals secrets that the database must not contain in plain text: AES-GCM with a key of the service and the place as associated
/// data.
package struct CredentialSeal: Sendable {
    private let key: SymmetricKey

    package init(_ keys: ServiceKeys) { key = keys.credentials }

    package func seal(_ secret: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        guard let combined = try AES.GCM.seal(secret, using: key, authenticating: place.bytes).combined else {
            preconditionFailure("A 12-byte nonce always gives the combined form.")
        }
        return Array(combined)
    }

    /// Opens a sealed secret.
    ///
    /// - Throws: if `sealed` was modified, or sealed with another key or at another place.
    package func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        Array(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: place.bytes))
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
