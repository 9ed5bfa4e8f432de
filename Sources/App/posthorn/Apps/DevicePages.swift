import PosthornStack
import PushModel
import PushService

/// Reads an app's devices from a service page by page, oldest first.
struct DevicePages {
    let client: APIClient
    /// Nil for all devices.
    var tag: String?
    var alias: String?
    /// The registration id of the last device that was read.
    var last: String?

    /// The maximum number of devices that the service returns at a time.
    static let size = 1000

    /// Reads the next devices; fewer than `limit` at the end.
    mutating func next(limit: Int = size) async throws -> [DeviceAnswer] {
        let given = [("tag", tag), ("alias", alias), ("after", last), ("limit", String(limit))]
        let query = given.compactMap { name, value in value.map { "\(name)=\(APIClient.encoded($0))" } }
        let page: DeviceListAnswer = try await client.get("/posthorn/v1/devices?" + query.joined(separator: "&")).read()
        last = page.devices.last?.registrationID ?? last
        return page.devices
    }
}
