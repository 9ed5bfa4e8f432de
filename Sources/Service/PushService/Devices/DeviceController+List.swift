package import PushModel
import Synchronization

extension DeviceController {
    /// Some devices of an app, in the order in which they came to be; those that count as gone among them.
    ///
    /// `tag`, `alias`: only those that have it; nil for all.
    /// `after`: the device with which the page before ended.
    /// - Throws: 7002 if `after` is a registration id that no device of the app has.
    package func list(
        of app: App.ID,
        tag: String?,
        alias: String?,
        after: String?,
        limit: Int
    ) async throws -> [Device] {
        var start = try after.map { try id($0, of: app).ordinal + 1 } ?? 0
        var devices: [Device] = []
        while devices.count < limit {
            let found = try await page(of: app, tag: tag, alias: alias, from: start, limit: limit)
            // One that was imported and has registered since is another device now.
            devices += found.devices.lazy.filter { !$0.isRetired }.prefix(limit - devices.count)
            guard let last = found.last, last < .max else { break }
            start = last + 1
        }
        return devices
    }

    /// Up to `limit` devices from an ordinal on, and the last ordinal that was looked at; nil if there are no more.
    private func page(
        of app: App.ID,
        tag: String?,
        alias: String?,
        from start: DeviceOrdinal,
        limit: Int
    ) async throws -> (devices: [Device], last: DeviceOrdinal?) {
        guard tag != nil || alias != nil else {
            let devices = try await store.devices(of: app, from: start, limit: limit)
            return (devices, devices.last?.id.ordinal)
        }
        let ordinals = registry.ordinals(of: app, tag: tag, alias: alias, from: start, limit: limit)
        return (try await store.devices(ordinals, of: app), ordinals.last)
    }

    /// Its tokens for other channels of APNs than notifications.
    package func channelTokens(of device: Device) async throws -> [ChannelToken] {
        try await store.channelTokens(of: device.id)
    }

    /// By what the app's backend calls a device.
    package func name(of device: Device) -> RegistrationID { registry.name(of: device.id) }

    package func presence(of device: Device) -> Presence { registry.presence(of: device.id, at: now) }
}

extension Registry {
    /// Up to `limit` devices with a tag, an alias or both, from an ordinal on, in rising order.
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
