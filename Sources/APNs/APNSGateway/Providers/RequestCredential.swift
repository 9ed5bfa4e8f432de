import Foundation

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
