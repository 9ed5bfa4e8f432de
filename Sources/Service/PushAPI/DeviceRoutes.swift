import Foundation
import Hummingbird
import PushModel
import PushService

/// Single devices, and the online status of several: `/v3/devices`.
///
/// Source: JPush REST API v3, "Device API".
struct DeviceRoutes: Sendable {
    let devices: DeviceController
    let timeZone: TimeZone

    func add(to group: RouterGroup<APIContext>) {
        let one = "v3/devices/:registrationID"
        group.get(RouterPath(one)) { _, context in
            let app = try caller(context)
            return Response(
                json: Self.json(try await devices.device(try context.segment("registrationID"), of: app.id))
            )
        }
        group.post(RouterPath(one)) { request, context in
            let app = try caller(context)
            let change = try DeviceChange(parsing: try await request.bytes())
            try await devices.change(try context.segment("registrationID"), of: app.id, change)
            return Response.done
        }
        group.refuseMethods(besides: [.get, .post], at: one)
        let status = "v3/devices/status"
        group.post(RouterPath(status)) { request, context in
            let app = try caller(context)
            let query = try DeviceStatusQuery(parsing: try await request.bytes())
            let presence = try await devices.presenceAnywhere(of: query.registrationIDs, app: app.id)
            return Response(json: json(presence, at: devices.now))
        }
        group.refuseMethods(besides: [.post], at: status)
    }

    /// Returns always these three keys; null means none.
    private static func json(_ device: RegisteredDevice) -> JSONValue {
        [
            "tags": .strings(device.tags), "alias": .orNull(device.alias), "mobile": .orNull(device.mobile),
        ]
    }

    /// Returns the presences; the time of the last activity is reported for two days.
    private func json(_ presences: [(registrationID: String, presence: Presence)], at now: Date) -> JSONValue {
        .object(
            JSONObject(
                presences.map { registrationID, presence in
                    switch presence {
                    case .online: (registrationID, ["online": true])
                    case .offline(let seen)
                    where now.timeIntervalSince(seen) <= TimeInterval(JPushLimits.lastOnlineSeconds):
                        (registrationID, ["online": false, "last_online_time": .string(seen.time(in: timeZone))])
                    case .offline: (registrationID, ["online": false])
                    }
                }
            )
        )
    }
}
