import Foundation
import PushModel

/// The names in an audience, hashed before the lock is taken.
struct AudienceNames: Sendable {
    let audience: Audience
    /// The hashes of the aliases.
    fileprivate let aliasHashes: [UInt64]

    init(_ audience: Audience) {
        self.audience = audience
        if case .filter(let filter) = audience {
            aliasHashes = KeyedHash.hashes(filter.aliases)
        } else {
            aliasHashes = []
        }
    }
}

extension AudienceColumns {
    /// Returns the query for an audience, of whose registration ids the devices are given; devices not seen for 255 days
    /// count as inactive. Nil if the audience is certainly empty.
    mutating func question(
        _ names: AudienceNames,
        registered: [DeviceOrdinal],
        at date: Date,
        _ past: PastDevices = PastDevices()
    ) -> AudienceQuery? {
        renewActivity(at: date)
        guard case .filter(let filter) = names.audience else { return AudienceQuery(self) }
        return AudienceQuery(self, tagQuery(filter, past), named: named(by: filter, names.aliasHashes, registered))
    }

    func tagQuery(_ filter: Audience.Filter, _ past: PastDevices) -> TagQuery {
        var query = TagQuery(
            anyOf: filter.tags.map { tagTable[$0] },
            allOf: filter.tagsAnd.map { tagTable[$0] },
            noneOf: filter.tagsNot.map { tagTable[$0] }
        )
        if filter.dependsOnPast { query.add(filter, past) }
        return query
    }

    /// Returns the devices named by alias or registration id, in ascending order; nil if the audience names none that way.
    private func named(
        by filter: Audience.Filter,
        _ aliasHashes: [UInt64],
        _ registered: [DeviceOrdinal]
    ) -> [DeviceOrdinal]? {
        let byAlias = filter.aliases.isEmpty ? nil : aliases.devices(anyOf: aliasHashes)
        guard !filter.registrationIDs.isEmpty else { return byAlias }
        let byID = registered.sortedOnce()
        guard let byAlias else { return byID }
        let both = Set(byAlias)
        return byID.filter(both.contains)
    }
}
