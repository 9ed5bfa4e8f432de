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
    package var environments: Set<APNSEnvironment>
    package var scope: Scope
    package var isRevoked = false

    package init(
        id: String,
        teamID: String,
        publicKey: P256.Signing.PublicKey,
        environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
        scope: Scope = .team
    ) {
        self.id = id
        self.teamID = teamID
        self.publicKey = publicKey
        self.environments = environments
        self.scope = scope
    }
}

/// A key that the gateway has generated: the one-time download of Apple's site.
package struct GeneratedKey: Sendable {
    package var id: String
    package var teamID: String
    /// The text of a `.p8` file.
    package var p8: String

    package init(id: String, teamID: String, p8: String) {
        self.id = id
        self.teamID = teamID
        self.p8 = p8
    }
}
