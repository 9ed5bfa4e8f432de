import DeviceLink
package import PushModel
import Synchronization

/// A device whose courier link is open.
package struct LinkedDevice: Sendable {
    /// The device's id.
    package var id: String
    package var isAwake: Bool
    /// The apps that pushes reach over this link.
    package var apps: [(topic: String, environment: APNSEnvironment)]

    var json: JSONObject {
        [
            "id": .string(id), "awake": .bool(isAwake),
            "apps": .array(apps.map { ["topic": .string($0.topic), "environment": .string($0.environment.rawValue)] }),
        ]
    }
}

extension Gateway {
    /// The devices with an open link, by id.
    package var linkedDevices: [LinkedDevice] {
        state.withLock { state in
            state.courierLinks.keys.compactMap { state.courier.device(on: $0) }.sorted().map { id in
                let apps = state.courier.apps(of: id).map { (topic: $0.topic, environment: $0.environment) }
                return LinkedDevice(id: id, isAwake: state.courier.isAwake(id), apps: apps)
            }
        }
    }
}
