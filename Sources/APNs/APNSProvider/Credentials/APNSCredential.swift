/// The credential that a provider presents to APNs: one team's, for one or more of its apps.
///
/// A process may serve any number of teams: each credential has its own ``APNSClient``, and so its own connections,
/// because APNs binds a connection to the team of its first push.
public enum APNSCredential: Sendable {
    /// A signing key: valid for all apps of its team, or for the topics it was created for.
    case key(APNSSigningKey)
    /// A client certificate: valid for the topics that it names.
    case certificate(APNSCertificate)
}

extension APNSCredential {
    var key: APNSSigningKey? { if case .key(let key) = self { key } else { nil } }
    package var certificate: APNSCertificate? {
        if case .certificate(let certificate) = self { certificate } else { nil }
    }
}
