import Crypto
import Foundation
package import PushModel

/// What a sealed secret is, and whose. It is part of the seal: a secret that is copied to another place does not open there.
package enum SealedPlace: Hashable, Sendable {
    /// The key with which an app signs its provider tokens, for both environments.
    case providerKey(App.ID)
    case certificate(App.ID, APNSEnvironment)
    /// The master secret of an app that a developer has made.
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

/// Seals what must not lie readable in the database: AES-GCM under a key of the service, with its place as associated data.
package struct CredentialSeal: Sendable {
    private let key: SymmetricKey

    package init(_ keys: ServiceKeys) { key = keys.credentials }

    package func seal(_ secret: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        guard let combined = try AES.GCM.seal(secret, using: key, authenticating: place.bytes).combined else {
            preconditionFailure("A 12-byte nonce always gives the combined form.")
        }
        return Array(combined)
    }

    /// - Throws: when `sealed` was changed, or sealed under another key or at another place.
    package func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        Array(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: place.bytes))
    }

    /// Seals anew what was sealed before places were part of seals.
    func bind(_ sealed: [UInt8], to place: SealedPlace) throws -> [UInt8] {
        try seal(Array(AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key)), at: place)
    }
}
