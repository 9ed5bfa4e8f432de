import DeviceLink
import Foundation
import Logging
import PushClock
import PushModel

// Who is there: a device is online while it has a link, and was seen last when that closed.
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

    /// The device's link is closed: this was its last sign of life.
    func leave(_ device: DeviceID, _ session: SDKLinkSession) async {
        router.leave(device, session)
        await remember([device])
        registry.linkClosed(of: device)
    }

    /// The service ends while these devices have links: they are seen until now.
    func endAll() async { await remember(registry.linkedDevices) }

    private func remember(_ devices: [DeviceID]) async {
        let now = clock.date
        for (app, devices) in Dictionary(grouping: devices, by: \.app) {
            do {
                let changed = try await store.updateDevices(devices.map(\.ordinal), of: app, keepingTags: []) {
                    device in
                    device.lastSeen = max(device.lastSeen, now)
                }
                registry.apply(changed)
                try await store.note(calendar.note([.online], at: now), of: devices.map(\.ordinal), app: app)
            } catch {
                logger.error("When devices were last seen could not be kept", metadata: ["error": "\(error)"])
            }
        }
    }
}
