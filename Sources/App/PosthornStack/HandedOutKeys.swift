package import APNSGateway
import PushModel

/// The keys that a gateway hands out besides its own, which is for both environments and all topics: one of each kind that Apple's
/// developer site makes.
package struct HandedOutKeys: Sendable {
    /// A key for development alone.
    package let development: GeneratedKey
    /// A key for production alone.
    package let production: GeneratedKey
    /// A key for one topic, in production.
    package let topic: GeneratedKey
    /// The related key of ``topic``, for the same topic.
    package let related: GeneratedKey
    /// A key of another team, which has one app of its own.
    package let secondTeam: GeneratedKey

    /// The second team.
    package static let secondTeamID = "POSTHORN02"
    /// The bundle id of the second team's app.
    package static let secondTopic = "com.example.second"

    private let folder: String

    /// Loads the keys from a gateway's data folder, or generates them, and makes the gateway accept them.
    ///
    /// - Throws: if a key's file is damaged, or cannot be written.
    package init(of gateway: Gateway, in folder: String) throws {
        self.folder = folder
        let topics = GatewayKey.Scope.topics([GatewayExport.topic])
        func load(
            _ id: String,
            team: String = GatewayNode.teamID,
            _ environments: Set<APNSEnvironment>,
            _ scope: GatewayKey.Scope = .team,
            relatedTo: String? = nil
        ) throws -> GeneratedKey {
            try ProviderKeyFile.load(
                GatewayNode.keyPath(of: id, in: folder),
                id: id,
                team: team,
                environments: environments,
                scope: scope,
                relatedTo: relatedTo,
                for: gateway
            )
        }
        development = try load("LOCALDEV01", [.development])
        production = try load("LOCALPROD1", [.production])
        topic = try load("LOCALTOP01", [.production], topics)
        related = try load("LOCALREL01", [.production], topics, relatedTo: topic.id)
        secondTeam = try load("SECONDKEY1", team: Self.secondTeamID, [.development, .production])
        gateway.setBundleIDs([Self.secondTopic], ofTeam: Self.secondTeamID)
    }

    /// The keys with the beginnings of their files' names.
    package var named: [(name: String, key: GeneratedKey)] {
        [
            ("development", development), ("production", production), ("topic", topic), ("related", related),
            ("secondTeam", secondTeam),
        ]
    }

    /// The path of a key's file in the data folder.
    package func path(of key: GeneratedKey) -> String { GatewayNode.keyPath(of: key.id, in: folder) }
}
