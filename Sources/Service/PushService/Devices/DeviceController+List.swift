package import PushModel

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

    /// Returns the device's APNs tokens for uses other than notifications.
    package func channelTokens(of device: RegisteredDevice) async throws -> [ChannelToken] {
        try await store.channelTokens(of: device.id)
    }

    /// Returns the registration id by which the app's backend knows a device.
    package func name(of device: RegisteredDevice) -> RegistrationID { registry.name(of: device.id) }

    package func presence(of device: RegisteredDevice) -> Presence { registry.presence(of: device.id, at: now) }
}

extension Registry {
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
