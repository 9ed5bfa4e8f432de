import Foundation
import Synchronization

extension Registry {
    /// Returns the time zones of devices whose ordinals ascend, as sent by their SDKs.
    package func zones(of ordinals: ArraySlice<DeviceOrdinal>, of app: App.ID) -> DeviceZones {
        knownDevices(of: app)?.state.withLock { $0.columns.zones.zones(of: ordinals) } ?? DeviceZones()
    }

    /// Returns the devices of a resolution that are in some time zones only.
    func filter(_ resolution: Resolution, of app: App.ID, inZones isMeant: (TimeZone?) -> Bool) -> Resolution {
        func filtered(_ ordinals: [DeviceOrdinal]) -> [DeviceOrdinal] {
            let zones = zones(of: ordinals[...], of: app)
            let meant = zones.zones.map(isMeant)
            return ordinals.indices.filter { meant[zones.number(at: $0)] }.map { ordinals[$0] }
        }
        var rest = resolution
        rest.reachable = filtered(resolution.reachable)
        rest.inOtherEnvironment = filtered(resolution.inOtherEnvironment)
        rest.withoutToken = filtered(resolution.withoutToken)
        rest.refused = filtered(resolution.refused)
        rest.stopped = filtered(resolution.stopped)
        return rest
    }

    /// Returns the time zones in use by devices of the app, as IANA names.
    package func zonesInUse(of app: App.ID) -> [String] {
        knownDevices(of: app)?.state.withLock { $0.columns.zones.inUse } ?? []
    }
}
