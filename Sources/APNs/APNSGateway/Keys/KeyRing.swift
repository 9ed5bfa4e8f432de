import PushModel

/// The keys that the gateway knows: its own, and those that were made at the control endpoint.
///
/// The limits are Apple's, for each team and environment, and count made keys that are not revoked. The gateway's own keys do not count,
/// so that a test can make as many as at Apple.
struct KeyRing: Sendable {
    /// The largest number of keys for the whole team. Source: as for ``KeyOrder``.
    static let teamKeyLimit = 2
    /// The largest number of keys for certain topics. Source: as for ``KeyOrder``.
    static let topicKeyLimit = 200
    /// The largest number of made keys of all teams. Beyond it, the revoked key that was made first is forgotten.
    static let madeKeyLimit = 1000

    private var keys: [String: GatewayKey] = [:]
    /// The numbers of the made keys, by id, in the order in which they were made.
    private var numbers: [String: Int] = [:]

    subscript(id: String) -> GatewayKey? { keys[id] }

    /// The keys by id.
    var all: [GatewayKey] { keys.values.sorted { $0.id < $1.id } }

    /// Accepts a key of the gateway's own, replacing the one with the same id.
    mutating func add(_ key: GatewayKey) {
        keys[key.id] = key
        numbers[key.id] = nil
        relate(key)
    }

    /// Accepts a made key that was kept on disk.
    mutating func restore(_ made: MadeKey) {
        keys[made.key.id] = made.key
        numbers[made.key.id] = made.number
        relate(made.key)
    }

    /// The made key with this id; nil for a key of the gateway's own.
    func made(_ id: String) -> MadeKey? {
        guard let key = keys[id], let number = numbers[id] else { return nil }
        return MadeKey(number: number, key: key)
    }

    mutating func revoke(_ id: String) { keys[id]?.isRevoked = true }

    /// Accepts a key that was made now.
    ///
    /// - Returns: the id of the key that was forgotten for it; nil if there was room.
    /// - Throws: ``KeyRefusal`` for a key that Apple's site would not make.
    mutating func make(_ key: GatewayKey) throws(KeyRefusal) -> String? {
        guard keys[key.id] == nil else {
            throw KeyRefusal("There is a key '\(key.id)' already; without 'id' the gateway chooses one.")
        }
        try checkLimits(key)
        try checkRelation(key)
        let forgotten = try makeRoom()
        keys[key.id] = key
        numbers[key.id] = (numbers.values.max() ?? 0) + 1
        relate(key)
        return forgotten
    }

    /// Takes back a key that was made just now.
    mutating func remove(_ id: String) {
        guard let key = keys.removeValue(forKey: id) else { return }
        numbers[id] = nil
        if let other = key.relatedTo, keys[other]?.relatedTo == id { keys[other]?.relatedTo = nil }
    }

    /// Makes the other key of a pair know of its related key.
    private mutating func relate(_ key: GatewayKey) {
        if let other = key.relatedTo, !key.isRevoked { keys[other]?.relatedTo = key.id }
    }

    private func checkLimits(_ key: GatewayKey) throws(KeyRefusal) {
        let isForTeam = key.scope == .team
        let limit = isForTeam ? Self.teamKeyLimit : Self.topicKeyLimit
        for environment in APNSEnvironment.allCases where key.environments.contains(environment) {
            let same = numbers.keys.compactMap { keys[$0] }.filter { other in
                !other.isRevoked && other.teamID == key.teamID && (other.scope == .team) == isForTeam
                    && other.environments.contains(environment)
            }
            guard same.count < limit else {
                let kind = isForTeam ? "for all its topics" : "for certain topics"
                throw KeyRefusal(
                    "Team '\(key.teamID)' has \(limit) keys \(kind) in \(environment) already, as many as Apple allows; revoke one "
                        + "with DELETE /keys/ID."
                )
            }
        }
    }

    private func checkRelation(_ key: GatewayKey) throws(KeyRefusal) {
        guard let id = key.relatedTo else { return }
        guard let other = keys[id], !other.isRevoked else {
            throw KeyRefusal("There is no valid key '\(id)' that the key can be related to; GET /keys lists them.")
        }
        guard other.teamID == key.teamID, other.scope != .team, other.environments == key.environments else {
            throw KeyRefusal(
                "Key '\(id)' cannot be related: expected one for certain topics, of the same team and environments."
            )
        }
        if let related = other.relatedTo.flatMap({ keys[$0] }), !related.isRevoked {
            throw KeyRefusal(
                "Key '\(id)' has a related key already, '\(related.id)'; revoke that with DELETE /keys/\(related.id)."
            )
        }
    }

    private mutating func makeRoom() throws(KeyRefusal) -> String? {
        guard numbers.count >= Self.madeKeyLimit else { return nil }
        let revoked = numbers.filter { keys[$0.key]?.isRevoked == true }
        guard let oldest = revoked.min(by: { $0.value < $1.value })?.key else {
            throw KeyRefusal(
                "There are \(Self.madeKeyLimit) keys already, the most that a gateway keeps; revoke one with DELETE /keys/ID."
            )
        }
        remove(oldest)
        return oldest
    }
}
