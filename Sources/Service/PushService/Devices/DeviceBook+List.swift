package import PushModel
import Synchronization

extension DeviceBook {
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
        let start = try after.map { try id($0, of: app).ordinal + 1 } ?? 0
        var devices: [Device] = []
        for ordinal in registry.ordinals(of: app, tag: tag, alias: alias, from: start) {
            // One that was imported and has registered since is another device now.
            guard let device = try await store.device(DeviceID(app: app, ordinal: ordinal)), !device.isRetired else {
                continue
            }
            devices.append(device)
            if devices.count == limit { break }
        }
        return devices
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
    /// In rising order.
    func ordinals(of app: App.ID, tag: String?, alias: String?, from start: DeviceOrdinal) -> [DeviceOrdinal] {
        var ordinals: [DeviceOrdinal]
        if let alias {
            ordinals = devices(withAlias: alias, of: app).map(\.ordinal)
            if let tag { ordinals = ordinals.filter { has(DeviceID(app: app, ordinal: $0), tag: tag) } }
        } else if let tag {
            ordinals = devices(withTag: tag, of: app)
        } else {
            let count = state.withLock { $0.columns[app]?.count ?? 0 }
            return start < DeviceOrdinal(count) ? Array(start..<DeviceOrdinal(count)) : []
        }
        return ordinals.filter { $0 >= start }
    }
}
