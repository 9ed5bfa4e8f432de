import Crypto
package import PushModel

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
