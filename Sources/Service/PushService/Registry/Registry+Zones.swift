import Foundation
import PushModel
import Synchronization

extension Registry {
    /// The time zones of some devices, whose ordinals rise, as their SDKs have told them.
    package func zones(of ordinals: ArraySlice<DeviceOrdinal>, of app: App.ID) -> DeviceZones {
        knownDevices(of: app)?.state.withLock { $0.columns.zones.zones(of: ordinals) } ?? DeviceZones()
    }

    /// The devices of a resolution in some time zones only.
    func keep(
        _ resolution: Resolution,
        of app: App.ID,
        inZones isMeant: (TimeZone?) -> Bool
    ) -> Resolution {
        func kept(_ ordinals: [DeviceOrdinal]) -> [DeviceOrdinal] {
            let zones = zones(of: ordinals[...], of: app)
            let meant = zones.zones.map(isMeant)
            return ordinals.indices.filter { meant[zones.number(at: $0)] }.map { ordinals[$0] }
        }
        var rest = resolution
        rest.reachable = kept(resolution.reachable)
        rest.inOtherEnvironment = kept(resolution.inOtherEnvironment)
        rest.withoutToken = kept(resolution.withoutToken)
        rest.refused = kept(resolution.refused)
        rest.stopped = kept(resolution.stopped)
        return rest
    }

    /// The time zones that some device of the app has, by their IANA names.
    package func zonesInUse(of app: App.ID) -> [String] {
        knownDevices(of: app)?.state.withLock { $0.columns.zones.inUse } ?? []
    }
}
