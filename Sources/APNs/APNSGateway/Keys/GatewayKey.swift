package import Crypto
package import PushModel

/// A signing key as the gateway knows it, with the environments and the scope that one chooses at Apple's developer site.
///
/// Source: Apple, "Establishing a token-based connection to APNs", sections "Team-scoped keys" and "Topic-specific keys", and
/// Account Help, "Create a private key to access a service", read November 2026.
package struct GatewayKey: Sendable {
    package enum Scope: Hashable, Sendable {
        /// Every topic of the team.
        case team
        /// These topics only.
        case topics(Set<String>)
    }

    package var id: String
    package var teamID: String
    package var publicKey: P256.Signing.PublicKey
    package var environments = Set(APNSEnvironment.allCases)
    package var scope = Scope.team
    /// The id of the related key: tokens of both may be used on one connection. Only keys for certain topics have one.
    package var relatedTo: String?
    package var isRevoked = false

    /// Whether tokens of this key may follow those of the key that a connection was first used with, if both are of one team.
    ///
    /// All keys for the whole team are related, our choice, as Apple only says it of a key for certain topics and its related key.
    func mayFollow(_ first: ProviderConnectionState.Binding) -> Bool {
        if id == first.keyID { return true }
        if scope == .team { return first.scope == .team }
        return relatedTo == first.keyID
    }
}

/// A key that the gateway has generated: the one-time download of Apple's site.
package struct GeneratedKey: Sendable {
    package var id: String
    package var teamID: String
    /// The text of a `.p8` file.
    package var p8: String

    /// The text of the file of a new key.
    static func newP8() -> String { P256.Signing.PrivateKey().pemRepresentation + "\n" }
}
