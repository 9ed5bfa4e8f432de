import DeviceLink
import PushModel
import Synchronization

/// A device whose courier link is open.
struct LinkedDevice: Sendable {
    /// The device's id.
    var id: String
    var isAwake: Bool
    /// The apps that pushes reach over this link.
    var apps: [CourierServer.DeviceApp]

    var json: JSONObject {
        [
            "id": .string(id), "awake": .bool(isAwake),
            "apps": .array(
                apps.map { ["topic": .string($0.topic), "environment": .string($0.environment.rawValue)] }
            ),
        ]
    }
}

extension Gateway {
    /// The devices with an open link, by id.
    var linkedDevices: [LinkedDevice] {
        state.withLock { state in
            state.courierLinks.keys.compactMap { state.courier.device(on: $0) }.sorted().map { id in
                LinkedDevice(id: id, isAwake: state.courier.isAwake(id), apps: state.courier.apps(of: id))
            }
        }
    }
}
