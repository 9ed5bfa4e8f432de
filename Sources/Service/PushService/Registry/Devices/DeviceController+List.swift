package import Foundation
package import PushModel
import Synchronization

/// A device as the API shows it.
package struct RegisteredDeviceAnswer: Codable, Sendable {
    package let registrationID: String
    @OrNull package var token: DeviceToken?
    package let environment: APNSEnvironment
    @OrNull package var alias: String?
    /// Whether the app's backend has vouched for the alias.
    package let aliasProved: Bool
    package let tags: [String]
    @OrNull package var mobile: String?
    package let attributes: JSONValue
    package let badge: Int
    package let system: String
    @OrNull package var zone: String?
    @OrNull package var appVersion: String?
    @OrNull package var language: String?
    @OrNull package var permission: String?
    package let imported: Bool
    package let pushOn: Bool
    package let online: Bool
    package let lastSeen: Date
    /// When another phone, which had shared this registration, has got its own, and which; nil if none has.
    package var separatedAt: Date?
    package var separatedAs: String?
    /// The tokens for uses other than notifications; nil in a list.
    package var channelTokens: [ChannelToken]?

    init(
        _ device: RegisteredDevice,
        name: RegistrationID,
        separated: RegistrationID?,
        _ presence: Presence,
        at now: Date
    ) {
        registrationID = name.text
        separatedAt = device.separation?.date
        separatedAs = separated?.text
        token = device.token
        environment = device.environment
        alias = device.alias
        tags = device.tags
        mobile = device.mobile
        badge = device.badge
        system = device.system
        attributes = .strings(device.attributes)
        aliasProved = device.isAliasProved
        zone = device.zone
        appVersion = device.appVersion
        language = device.language
        permission = device.permission?.rawValue
        imported = device.isImported
        pushOn = !device.isStopped
        (online, lastSeen) =
            switch presence {
            case .online: (true, now)
            case .offline(let lastSeen): (false, lastSeen)
            }
    }
}

package struct DeviceListAnswer: Codable, Sendable {
    package let devices: [RegisteredDeviceAnswer]
    /// The number of devices on all pages; nil if it was not asked for.
    package let total: Int?

    package init(devices: [RegisteredDeviceAnswer], total: Int? = nil) {
        self.devices = devices
        self.total = total
    }
}

extension DeviceController {
    /// Returns a page of an app's devices, or of those with a tag or an alias, in the order of their creation, including
    /// inactive ones, after the last device of the previous page.
    ///
    /// - Throws: 7002 if `after` is a registration id that no device of the app has.
    package func list(
        of app: App.ID,
        tag: String?,
        alias: String?,
        after: String?,
        limit: Int
    ) async throws -> [RegisteredDevice] {
        var start = try after.map { try id($0, of: app).ordinal + 1 } ?? 0
        var devices: [RegisteredDevice] = []
        while devices.count < limit {
            let found = try await page(of: app, tag: tag, alias: alias, from: start, limit: limit)
            // An imported device that has registered since is a different device now.
            devices += found.devices.lazy.filter { !$0.isRetired }.prefix(limit - devices.count)
            guard let last = found.last, last < .max else { break }
            start = last + 1
        }
        return devices
    }

    /// Returns up to `limit` devices from an ordinal on, and the last ordinal examined; nil if there are no more.
    private func page(
        of app: App.ID,
        tag: String?,
        alias: String?,
        from start: DeviceOrdinal,
        limit: Int
    ) async throws -> (devices: [RegisteredDevice], last: DeviceOrdinal?) {
        guard tag != nil || alias != nil else {
            let devices = try await store.devices(of: app, from: start, limit: limit)
            return (devices, devices.last?.id.ordinal)
        }
        let ordinals = registry.ordinals(of: app, tag: tag, alias: alias, from: start, limit: limit)
        return (try await store.devices(ordinals, of: app), ordinals.last)
    }

    /// Returns the number of devices that ``list(of:tag:alias:after:limit:)`` has on all pages.
    package func count(of app: App.ID, tag: String?, alias: String?) -> Int {
        guard tag != nil || alias != nil else { return registry.listedCount(of: app) }
        return registry.ordinals(of: app, tag: tag, alias: alias, from: 0, limit: .max).count
    }

    /// Returns a device as the API shows it in a list.
    package func answer(for device: RegisteredDevice) -> RegisteredDeviceAnswer {
        RegisteredDeviceAnswer(
            device,
            name: registry.name(of: device.id),
            separated: device.separatedID.map(registry.name),
            presence(of: device),
            at: now
        )
    }

    /// Returns a device with its tokens for uses other than notifications, as the API shows it.
    package func answer(for registrationID: String, of app: App.ID) async throws -> RegisteredDeviceAnswer {
        let device = try await device(registrationID, of: app)
        var answer = answer(for: device)
        answer.channelTokens = try await store.channelTokens(of: device.id)
        return answer
    }

    package func presence(of device: RegisteredDevice) -> Presence { registry.presence(of: device.id, at: now) }
}

extension Registry {
    /// Returns the number of an app's devices, including inactive ones, without those that were retired.
    fileprivate func listedCount(of app: App.ID) -> Int {
        guard let columns = knownDevices(of: app)?.state.withLock(\.columns) else { return 0 }
        return (0..<(columns.count + 63) / 64).reduce(0) { count, index in
            let known = columns.seen.members(of: .max, at: index, in: 1...(.max))
            let withoutToken = known & ~columns.flags.withToken.word(index)
            // A retired device has no token, and was last seen in 1970.
            return count + known.nonzeroBitCount
                - columns.seen.members(of: withoutToken, at: index, in: 1...1).nonzeroBitCount
        }
    }

    /// Returns up to `limit` devices with a tag, an alias or both, from an ordinal on, in ascending order.
    fileprivate func ordinals(
        of app: App.ID,
        tag: String?,
        alias: String?,
        from start: DeviceOrdinal,
        limit: Int
    ) -> [DeviceOrdinal] {
        guard let alias else { return tag.map { devices(withTag: $0, of: app, from: start, limit: limit) } ?? [] }
        // An alias has few devices.
        let holders = devices(withAlias: alias, of: app).lazy.filter { device in
            device.ordinal >= start && tag.map { self.has(device, tag: $0) } ?? true
        }
        return holders.prefix(limit).map(\.ordinal)
    }
}
