import DeviceLink
import Logging
import PushClock

// Presence: a device is online while it has a link, and its last-seen time is when that closed.
extension SDKLinkController {
    func enter(_ device: DeviceID, _ session: SDKLinkSession) {
        if let before = session.device {
            router.leave(before, session)
            registry.linkClosed(of: before)
        }
        session.device = device
        session.connection.admit()
        registry.linkOpened(of: device)
    }

    /// Handles the end of a device's link, which counts as its last-seen time.
    func leave(_ device: DeviceID, _ session: SDKLinkSession) async {
        router.leave(device, session)
        await remember([device])
        registry.linkClosed(of: device)
    }

    /// Stores the current time as last seen for all linked devices when the service stops.
    func endAll() async { await remember(registry.linkedDevices) }

    private func remember(_ devices: [DeviceID]) async {
        let now = clock.date
        for (app, devices) in Dictionary(grouping: devices, by: \.app) where registry.app(app) != nil {
            do {
                let changed = try await store.updateDevices(devices.map(\.ordinal), of: app, keepingTags: []) {
                    device in
                    device.lastSeen = max(device.lastSeen, now)
                }
                registry.apply(changed)
                try await store.note(calendar.note([.online], at: now), of: devices.map(\.ordinal), app: app)
            } catch {
                logger.error("The last-seen times of devices could not be stored", metadata: ["error": "\(error)"])
            }
        }
    }
}
