/// What a provider shows APNs to be let in: one team's, for one or more of its apps.
///
/// A process may serve any number of teams: each credential has an ``APNSClient`` of its own, and so connections of its
/// own, because APNs binds a connection to the team of its first push.
public enum APNSCredential: Sendable {
    /// A signing key: good for all apps of its team, or for the topics it was made for.
    case key(APNSSigningKey)
    /// A client certificate: good for the topics that it names.
    case certificate(APNSCertificate)
}

extension APNSCredential {
    var key: APNSSigningKey? { if case .key(let key) = self { key } else { nil } }
    var certificate: APNSCertificate? { if case .certificate(let certificate) = self { certificate } else { nil } }
}
