package import PushModel

/// The devices that a push would find now.
package struct PushReach: Hashable, Sendable {
    /// The number of devices, whether or not a notification reaches them.
    package var devices: Int
    /// Whether these are all devices of the app, however the audience names them.
    package var isEveryone: Bool

    package init(devices: Int = 0, isEveryone: Bool = false) {
        self.devices = devices
        self.isEveryone = isEveryone
    }
}

extension PushAcceptor {
    /// Returns the devices that a push would find now. Nothing is stored.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func reach(_ body: [UInt8], of app: App) async throws -> PushReach {
        let request = try PushRequest(parsing: body, file: .allowed)
        guard request.platforms.contains(.ios) else { return PushReach() }
        if request.liveActivityID != nil, let key = request.channelKey {
            let devices = try await store.channelDevices(key, of: app.id).values
            return reach(devices.reduce(0) { $0 + $1.count }, of: app)
        }
        if let file = request.fileID {
            let targets = try await files.targets(file, of: [app.key.text])
            return reach(registry.counts(targets, of: app.id, at: trustedTime.date).devices, of: app)
        }
        let counts = try await counts(request.audience, of: app)
        var reach = reach(counts.devices, of: app)
        if request.audience == .all { reach.isEveryone = true }
        return reach
    }

    /// Returns the devices that the pushes of a batch would find now, of which those with a mistake find none.
    package func reach(_ batch: PushBatch, of app: App) -> PushReach {
        let heads = batch.entries.compactMap { try? $0.push.get() }
        var devices: Set<DeviceOrdinal> = []
        for target in registry.resolve(heads, of: app.id, at: trustedTime.date) {
            switch target {
            case .device(let ordinal): devices.insert(ordinal)
            case .others(let resolution): devices.formUnion(resolution.linked + resolution.stopped)
            }
        }
        return reach(devices.count, of: app)
    }

    private func reach(_ devices: Int, of app: App) -> PushReach {
        // The only device of an app is no crowd.
        let isEveryone = devices > 1 && devices >= registry.counts(.all, of: app.id, at: trustedTime.date).devices
        return PushReach(devices: devices, isEveryone: isEveryone)
    }
}
