package import Foundation
import PushModel
import Synchronization

/// A place under an alias that a request has claimed, and the devices that lose the alias to it.
package struct AliasPlace: Sendable {
    fileprivate let alias: ExactText
    fileprivate let device: DeviceID
    package let losers: [DeviceOrdinal]
}

/// The places under an alias that requests have claimed while the store is still writing.
struct ClaimedPlaces: Sendable {
    /// The devices for which a place is claimed, and the number of their claims.
    var claims: [DeviceOrdinal: Int] = [:]
    /// The devices that lose the alias, and the number of claims that they lose it to.
    var losers: [DeviceOrdinal: Int] = [:]
}

extension Registry {
    /// Claims a place under an alias for a device until ``release(_:)``, so that of two concurrent requests only one gets the last
    /// place.
    ///
    /// - Returns: nil if the allowed number of other devices have the alias, or have claimed it, and too few of them may lose it; inactive
    ///   devices take no place.
    package func claim(_ claim: AliasClaim, for device: DeviceID, at date: Date) -> AliasPlace? {
        let name = ExactText(claim.alias)
        return devices(of: device.app).state.withLock { state in
            var claimed = state.aliasClaims[name] ?? ClaimedPlaces()
            let holders = state.columns.devices(withAlias: claim.alias, activeAt: date).filter { ordinal in
                ordinal != device.ordinal && claimed.losers[ordinal] == nil
            }
            let others = Set(holders).union(claimed.claims.keys).subtracting([device.ordinal])
            let candidates = holders.filter { claimed.claims[$0] == nil }.map { ordinal in
                AliasPlaceHolder(
                    ordinal,
                    lastSeen: state.columns.lastSeen(ordinal),
                    isProved: state.columns.flags.provedAlias.contains(Int(ordinal)),
                    isLinked: state.links[ordinal] != nil
                )
            }
            let excess = others.count - claim.limit + 1
            guard let losers = claim.losers(among: candidates, count: excess) else { return nil }
            claimed.claims[device.ordinal, default: 0] += 1
            for loser in losers { claimed.losers[loser, default: 0] += 1 }
            state.aliasClaims[name] = claimed
            return AliasPlace(alias: name, device: device, losers: losers)
        }
    }

    /// Returns the hashes of those aliases, listed once for each device that is to get it, that too many devices may then have. A few
    /// may have room after all: inactive devices, and those that have the alias and get it again, count like others.
    func crowdedAliases(_ aliases: [String], of app: App.ID) -> Set<UInt64> {
        var hashes = KeyedHash.hashes(aliases)
        hashes += knownDevices(of: app)?.state.withLock { $0.columns.aliases.held(hashes) } ?? []
        hashes.sort()
        var crowded: Set<UInt64> = []
        for place in hashes.indices.dropFirst(JPushLimits.devicesPerAlias)
        where hashes[place - JPushLimits.devicesPerAlias] == hashes[place] {
            crowded.insert(hashes[place])
        }
        return crowded
    }

    /// Ends a claim: the device has the alias in memory, or does not get it.
    package func release(_ place: AliasPlace) {
        knownDevices(of: place.device.app)?.state.withLock { state in
            guard var claimed = state.aliasClaims.removeValue(forKey: place.alias) else { return }
            claimed.claims.countDown(place.device.ordinal)
            for loser in place.losers { claimed.losers.countDown(loser) }
            if !claimed.claims.isEmpty { state.aliasClaims[place.alias] = claimed }
        }
    }
}
