import PushModel
import Synchronization

// What a registry learns from other nodes.
extension Registry {
    /// Applies devices that another node has changed.
    func applyOfOthers(_ devices: [AudienceEntry]) {
        var rest = devices[...]
        while let app = rest.first?.id.app {
            let here = rest.prefix { $0.id.app == app }
            self.devices(of: app).apply(here)
            rest = rest.dropFirst(here.count)
        }
    }

    func applyOfOthers(_ change: TagChange) {
        switch change {
        case .kept(let tags, let app):
            devices(of: app).state.withLock { state in
                for tag in tags { state.columns.tagTable.keep(tag) }
            }
        case .forgotten(let tag, let app):
            knownDevices(of: app)?.state.withLock { $0.columns.tagTable.forget(tag) }
        }
    }

    /// Returns the devices to which no notification could be sent in the environment.
    func unreachable(_ ordinals: [DeviceOrdinal], of app: App.ID, _ environment: APNSEnvironment) -> [DeviceOrdinal] {
        guard !ordinals.isEmpty else { return [] }
        guard let devices = knownDevices(of: app) else { return ordinals }
        return devices.state.withLock { state in
            ordinals.filter { ordinal in
                !state.columns.contains(ordinal) || state.columns.isStopped(ordinal) || !state.columns.hasToken(ordinal)
                    || state.columns.environment(of: ordinal) != environment
            }
        }
    }
}
