import Foundation

/// A signing key: the path of its p8 file as from Apple, and its ids.
public struct SigningKey: Hashable, Sendable {
    public let file: String
    public let id: String
    public let teamID: String

    public init(file: String, id: String, teamID: String) {
        self.file = file
        self.id = id
        self.teamID = teamID
    }
}

/// Signing keys of each kind that Apple's site makes.
public struct SigningKeys: Sendable {
    /// For development alone.
    public let development: SigningKey
    /// For production alone.
    public let production: SigningKey
    /// For the APNs' topic alone, in production.
    public let topic: SigningKey
    /// Related to ``topic``: tokens of both may be used on one connection.
    public let related: SigningKey
    /// Of another team, whose only app is ``secondTeamTopic``.
    public let secondTeam: SigningKey
    /// The bundle id of the other team's app.
    public let secondTeamTopic: String

    /// Reads what a gateway has handed out.
    init(folder: URL, teamID: String) throws {
        func read(_ name: String) throws -> String {
            try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        func key(_ name: String, _ teamID: String) throws -> SigningKey {
            let file = folder.appendingPathComponent(name + "Key.p8").path
            return SigningKey(file: file, id: try read(name + "KeyID"), teamID: teamID)
        }
        development = try key("development", teamID)
        production = try key("production", teamID)
        topic = try key("topic", teamID)
        related = try key("related", teamID)
        secondTeam = try key("secondTeam", try read("secondTeamID"))
        secondTeamTopic = try read("secondTeamTopic")
    }
}

extension APNs {
    /// Makes a key as Apple's site does.
    ///
    /// - Parameters:
    ///   - environments: `development`, `production` or both.
    ///   - topics: the topics that the key is for; nil for all of the team.
    ///   - relatedTo: the key for certain topics that it is related to.
    ///   - teamID: the team; nil for that of the APNs' own key.
    /// - Returns: the key; its file is temporary.
    /// - Throws: ``PosthornError`` if Apple's site would not make such a key.
    public func makeKey(
        environments: [String] = ["development", "production"],
        topics: [String]? = nil,
        relatedTo: SigningKey? = nil,
        teamID: String? = nil
    ) async throws -> SigningKey {
        var order: [String: Any] = ["team": teamID ?? self.teamID, "environments": environments]
        if let topics { order["topics"] = topics }
        if let relatedTo { order["relatedTo"] = relatedTo.id }
        let made = try await control("POST", "keys", order)
        guard let id = made["id"] as? String, let team = made["team"] as? String, let p8 = made["p8"] as? String else {
            throw PosthornError("No key in \(made).")
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "AuthKey_\(id)-\(UUID().uuidString).p8"
        )
        try Data(p8.utf8).write(to: file)
        return SigningKey(file: file.path, id: id, teamID: team)
    }

    /// Revokes a key: pushes with it get 403 `Forbidden` from now on.
    public func revokeKey(_ key: SigningKey) async throws { try await control("DELETE", "keys/\(key.id)") }
}
