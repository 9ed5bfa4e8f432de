package import Crypto
package import PushModel

/// A signing key as the gateway knows it.
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
    package var isRevoked = false
}

/// A key that the gateway has generated: the one-time download of Apple's site.
package struct GeneratedKey: Sendable {
    package var id: String
    package var teamID: String
    /// The text of a `.p8` file.
    package var p8: String
}
