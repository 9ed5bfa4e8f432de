import Foundation

/// Who asks: a key that has signed the provider token, or the certificate that the connection has shown.
enum Credential {
    /// * `until`: when the provider token becomes too old.
    case key(GatewayKey, until: Date)
    case certificate(ProviderCertificate)

    var end: Date {
        switch self {
        case .key(_, let until): until
        case .certificate(let certificate): certificate.notValidAfter
        }
    }

    /// The topic of a request that names none.
    var onlyTopic: String? {
        if case .certificate(let certificate) = self { certificate.onlyTopic } else { nil }
    }

    /// Whether the key is one for certain topics, and this one is among them.
    func lists(_ topic: String) -> Bool {
        if case .key(let key, _) = self, case .topics(let topics) = key.scope { topics.contains(topic) } else { false }
    }
}
