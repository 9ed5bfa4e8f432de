import Crypto
import Foundation

extension ProviderTokenClaims {
    /// Whether the token was signed with the private half of a key.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        let ecdsa =
            signature.count == 64
            ? try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            : try? P256.Signing.ECDSASignature(derRepresentation: signature)
        return ecdsa.map { key.isValidSignature($0, for: signed) } ?? false
    }
}

/// The credential of a request: the key that signed the provider token, or the connection's client certificate.
enum RequestCredential {
    /// `until` is when the provider token expires.
    case key(GatewayKey, until: Date)
    case certificate(ProviderCertificate)

    var end: Date {
        switch self {
        case .key(_, let until): until
        case .certificate(let certificate): certificate.notValidAfter
        }
    }

    /// The topic for a request that names none.
    var onlyTopic: String? {
        if case .certificate(let certificate) = self { certificate.onlyTopic } else { nil }
    }

    /// Whether the key is limited to certain topics and this is one of them.
    func lists(_ topic: String) -> Bool {
        if case .key(let key, _) = self, case .topics(let topics) = key.scope { topics.contains(topic) } else { false }
    }
}
