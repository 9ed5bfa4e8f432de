package import Crypto
package import PushModel

/// A key as one asks for it at Apple's developer site.
///
/// Source of the limits: Apple, "Establishing a token-based connection to APNs", sections "Team-scoped keys" and "Topic-specific keys",
/// read November 2026.
package struct KeyOrder: Sendable {
    /// The largest number of topics of a key.
    package static let topicLimit = 400
    /// The largest number of octets of a topic.
    package static let topicOctets = 255
    /// The number of characters in the id of a key and of a team.
    package static let idLength = 10
    private static let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    package var teamID: String
    package var environments = Set(APNSEnvironment.allCases)
    package var scope = GatewayKey.Scope.team
    /// The id of the key for certain topics that it is related to.
    package var relatedTo: String?
    /// The id; nil has one chosen.
    package var id: String?
    /// The public half of a key that somebody else has generated; nil has one generated.
    package var publicKey: P256.Signing.PublicKey?

    package init(teamID: String) { self.teamID = teamID }

    /// Returns the key that is ordered.
    func key(id: String, publicKey: P256.Signing.PublicKey) -> GatewayKey {
        GatewayKey(
            id: id,
            teamID: teamID,
            publicKey: publicKey,
            environments: environments,
            scope: scope,
            relatedTo: relatedTo
        )
    }

    /// Whether a text is ten capital letters and digits, as Apple's ids are.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == idLength && text.utf8.allSatisfy(characters.utf8.contains)
    }

    /// A key id that nobody has chosen.
    static func randomID() -> String {
        String((0..<idLength).compactMap { _ in characters.randomElement() })
    }
}
