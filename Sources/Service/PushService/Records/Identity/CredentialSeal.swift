import Crypto
import Foundation
package import PushModel

/// The kind and owner of a sealed secret. They are part of the seal: a secret copied to another place does not open there.
package enum SealedPlace: Hashable, Sendable {
    /// A credential of an app's set.
    case credential(App.ID, SealedCredential.Content)
    /// The only key of an app, as versions sealed it in which an app had one.
    case providerKey(App.ID)
    /// The only certificate of an app for an environment, as versions sealed it in which an app had one.
    case certificate(App.ID, APNSEnvironment)
    /// The master secret of an app that a developer created.
    case masterSecret(AppKey)

    fileprivate var bytes: [UInt8] {
        let text =
            switch self {
            case .credential(let app, .key(let key)): "credential/\(app)/key/\(key.teamID)/\(key.id)"
            case .credential(let app, .certificate(let certificate)):
                "credential/\(app)/certificate/\(certificate.fingerprint.hexadecimal)"
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

    /// Opens a secret that was sealed at one of several places, the likeliest first.
    ///
    /// - Throws: as ``open(_:at:)`` does, for the last place.
    func open(_ sealed: [UInt8], atOneOf places: [SealedPlace]) throws -> [UInt8] {
        for place in places.dropLast() {
            if let secret = try? open(sealed, at: place) { return secret }
        }
        guard let last = places.last else { preconditionFailure("A secret has a place.") }
        return try open(sealed, at: last)
    }
}
