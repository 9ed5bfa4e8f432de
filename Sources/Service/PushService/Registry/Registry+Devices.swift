package import Foundation
import PushModel
import Synchronization

/// The reachability of a device right now, as far as the service knows.
package enum Presence: Hashable, Sendable {
    case online
    case offline(lastSeen: Date)
}

extension Registry {
    /// Returns the devices with an alias, in ascending order; `date` excludes those inactive at that time.
    package func devices(withAlias alias: String, of app: App.ID, activeAt date: Date? = nil) -> [DeviceID] {
        let found = knownDevices(of: app)?.state.withLock { $0.columns.devices(withAlias: alias, activeAt: date) }
        return (found ?? []).map { DeviceID(app: app, ordinal: $0) }
    }

    /// Returns the other devices with the alias of a device, in ascending order.
    func others(withAliasOf device: DeviceID) -> [DeviceOrdinal] {
        knownDevices(of: device.app)?.state.withLock { $0.columns.aliases.others(of: device.ordinal) } ?? []
    }

    /// Returns the devices with a tag, in ascending order.
    package func devices(withTag tag: String, of app: App.ID) -> [DeviceOrdinal] {
        set(ofTag: tag, of: app)?.ordinals ?? []
    }

    /// Returns up to `limit` devices with a tag from an ordinal on, in ascending order.
    func devices(withTag tag: String, of app: App.ID, from start: DeviceOrdinal, limit: Int) -> [DeviceOrdinal] {
        set(ofTag: tag, of: app)?.ordinals(from: start, limit: limit) ?? []
    }

    private func set(ofTag tag: String, of app: App.ID) -> DeviceSet? {
        knownDevices(of: app)?.state.withLock { $0.columns.tagTable[tag] }
    }

    package func has(_ device: DeviceID, tag: String) -> Bool {
        knownDevices(of: device.app)?.state.withLock { $0.columns.tagTable.has(device.ordinal, tag: tag) } == true
    }

    /// Returns the tags that a device of the app has, or that were created and not deleted, sorted; at most the first `limit`.
    package func tags(of app: App.ID, limit: Int = .max) -> [String] {
        guard let devices = knownDevices(of: app) else { return [] }
        return Set(exactly: devices.state.withLock(\.columns.tagTable.names).all.smallest(limit)).texts
    }

    func add(_ tags: [String], of app: App.ID) {
        guard !tags.isEmpty else { return }
        applyOfOthers(.kept(tags, app))
        noteChange()
    }

    func forget(_ tag: String, of app: App.ID) {
        applyOfOthers(.forgotten(tag, app))
        noteChange()
    }

    /// Returns the presence of a device: online if it has an open link or was seen in the last ten minutes.
    ///
    /// Source: JPush REST API v3, "Device API", "Get the online status of devices".
    package func presence(of device: DeviceID, at date: Date) -> Presence {
        let (isLinked, lastSeen) =
            knownDevices(of: device.app)?.state.withLock { state in
                (state.links[device.ordinal] != nil, state.columns.lastSeen(device.ordinal))
            } ?? (false, .distantPast)
        let isOnline = isLinked || date.timeIntervalSince(lastSeen) <= TimeInterval(JPushLimits.onlineSeconds)
        return isOnline ? .online : .offline(lastSeen: lastSeen)
    }

    func linkOpened(of device: DeviceID) {
        devices(of: device.app).state.withLock { $0.links[device.ordinal, default: 0] += 1 }
    }

    func linkClosed(of device: DeviceID) {
        // An app that was deleted has no devices any more.
        knownDevices(of: device.app)?.state.withLock { $0.links.countDown(device.ordinal) }
    }

    var linkedDevices: [DeviceID] {
        state.withLock(\.devices).flatMap { app, devices in
            devices.state.withLock { Array($0.links.keys) }.map { DeviceID(app: app, ordinal: $0) }
        }
    }

    /// Returns the number of devices with a usable token, by the environment of their build.
    func builds(of app: App.ID) -> [APNSEnvironment: Int] {
        guard let columns = knownDevices(of: app)?.state.withLock(\.columns) else { return [:] }
        var counts: [APNSEnvironment: Int] = [:]
        for index in 0..<((columns.count + 63) / 64) {
            let all = columns.flags.withToken.word(index)
            let production = columns.flags.production.word(index)
            counts[.production, default: 0] += (all & production).nonzeroBitCount
            counts[.development, default: 0] += (all & ~production).nonzeroBitCount
        }
        return counts
    }
}

extension AudienceColumns {
    func devices(withAlias alias: String, activeAt date: Date?) -> [DeviceOrdinal] {
        let devices = devices(withAlias: alias)
        guard let date else { return devices }
        return devices.filter { isActive($0, at: date) }
    }
}

extension Sequence<String> {
    /// Returns the `limit` smallest elements in ascending order: visits each once, and keeps no more than these sorted.
    func smallest(_ limit: Int) -> [String] {
        guard limit < .max else { return sorted() }
        var found: [String] = []
        for text in self {
            if found.count == limit {
                guard let last = found.last, text < last else { continue }
                found.removeLast()
            }
            found.insert(text, at: found.partitioningIndex { $0 >= text })
        }
        return found
    }
}

extension Registry {
    /// Returns those of some devices that were in contact with the service after a date.
    func seen(_ ordinals: [DeviceOrdinal], of app: App.ID, after date: Date) -> [DeviceOrdinal] {
        guard let devices = knownDevices(of: app) else { return [] }
        // The times are whole seconds.
        let limit = date.addingTimeInterval(1)
        return devices.state.withLock { state in ordinals.filter { state.columns.lastSeen($0) >= limit } }
    }
}
