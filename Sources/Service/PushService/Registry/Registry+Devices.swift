package import Foundation
import PushModel
import Synchronization

/// A place under an alias that a device takes while the store still writes.
struct AliasClaim: Hashable, Sendable {
    var alias: String
    var device: DeviceID
}

/// Whether a device can be reached right now, as far as the service knows.
package enum Presence: Hashable, Sendable {
    case online
    case offline(lastSeen: Date)
}

extension Registry {
    /// In rising order.
    package func devices(withAlias alias: String, of app: App.ID) -> [DeviceID] {
        state.withLock { state in
            state.columns[app]?.devices(withAlias: alias).map { DeviceID(app: app, ordinal: $0) } ?? []
        }
    }

    /// In rising order.
    package func devices(withTag tag: String, of app: App.ID) -> [DeviceOrdinal] {
        state.withLock { $0.columns[app]?.devices(withTag: tag) ?? [] }
    }

    package func has(_ device: DeviceID, tag: String) -> Bool {
        state.withLock { $0.columns[device.app]?.has(device.ordinal, tag: tag) == true }
    }

    /// Tags that a device of the app has, or that were made and not deleted; sorted.
    package func tags(of app: App.ID) -> [String] {
        let tags = state.withLock { state in
            state.keptTags[app, default: []].union(state.columns[app].map { Array($0.tags) } ?? [])
        }
        return tags.sorted()
    }

    func keep(_ tags: [String], of app: App.ID) { state.withLock { $0.keptTags[app, default: []].formUnion(tags) } }

    func forget(_ tag: String, of app: App.ID) { state.withLock { _ = $0.keptTags[app]?.remove(tag) } }

    /// A device with an open link is online, and so is one that was seen in the last ten minutes.
    ///
    /// Source: JPush REST API v3, "Device API", "Get the online status of devices".
    package func presence(of device: DeviceID, at date: Date) -> Presence {
        state.withLock { state in
            if state.links[device] != nil { return .online }
            let seen = state.columns[device.app]?.lastSeen(device.ordinal) ?? .distantPast
            let isOnline = date.timeIntervalSince(seen) <= TimeInterval(JPushLimits.onlineSeconds)
            return isOnline ? .online : .offline(lastSeen: seen)
        }
    }

    func linkOpened(of device: DeviceID) { state.withLock { $0.links[device, default: 0] += 1 } }

    func linkClosed(of device: DeviceID) {
        state.withLock { state in
            let left = (state.links[device] ?? 1) - 1
            state.links[device] = left > 0 ? left : nil
        }
    }

    var linkedDevices: [DeviceID] { state.withLock { Array($0.links.keys) } }

    /// Takes a place under an alias for a device until ``release(_:for:)``, so that two who ask at once do not both get the
    /// last one.
    ///
    /// - Returns: false if as many others as are allowed have the alias, or are about to.
    func claim(_ alias: String, for device: DeviceID) -> Bool {
        state.withLock { state in
            var others = Set(state.columns[device.app]?.devices(withAlias: alias) ?? [])
            for claim in state.aliasClaims where claim.alias == alias && claim.device.app == device.app {
                others.insert(claim.device.ordinal)
            }
            others.remove(device.ordinal)
            guard others.count < JPushLimits.devicesPerAlias else { return false }
            state.aliasClaims.append(AliasClaim(alias: alias, device: device))
            return true
        }
    }

    func release(_ alias: String, for device: DeviceID) {
        state.withLock { state in
            guard let place = state.aliasClaims.firstIndex(of: AliasClaim(alias: alias, device: device)) else { return }
            state.aliasClaims.remove(at: place)
        }
    }
}
