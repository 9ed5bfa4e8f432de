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
        let one = group.resource("v3/devices/:registrationID", [.get, .post], code: 7002)
        one.on(.get) { _, context, app in
            Response(Self.members(of: try await devices.device(try context.segment("registrationID"), of: app.id)))
        }
        one.on(.post) { request, context, app in
            let change = try DeviceChange(parsing: try await request.bytes())
            try await devices.change(try context.segment("registrationID"), of: app.id, change)
            return .done
        }
        group.add(.post, at: "v3/devices/status", code: 7002) { request, _, app in
            let query = try DeviceStatusQuery(parsing: try await request.bytes())
            let presence = try await devices.presenceAnywhere(of: query.registrationIDs, app: app.id)
            return Response(json: json(presence, at: devices.now))
        }
    }

    /// Returns always these three keys; null means none.
    private static func members(of device: RegisteredDevice) -> JSONMembers {
        ["tags": device.tags, "alias": device.alias, "mobile": device.mobile]
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

/// The tags of an app: `/v3/tags`.
///
/// Source: JPush REST API v3, "Device API".
struct TagRoutes: Sendable {
    let devices: DeviceController

    func add(to group: RouterGroup<APIContext>) {
        group.add(.get, at: "v3/tags", code: 7002) { _, _, app in
            Response(["tags": devices.tags(of: app.id)])
        }
        let one = group.resource("v3/tags/:tag", [.post, .delete], code: 7002)
        one.on(.post) { request, context, app in
            let change = try MembershipChange(ofTag: try await request.bytes())
            try await devices.change(tag: try context.segment("tag"), of: app.id, change)
            return .done
        }
        one.on(.delete) { request, context, app in
            try await devices.deleteTag(try context.segment("tag"), of: app.id, platforms: try request.platforms())
            return .done
        }
        group.add(.get, at: "v3/tags/:tag/registration_ids/:registrationID", code: 7002) { _, context, app in
            let registrationID = try context.segment("registrationID")
            let isMember = try devices.has(registrationID, tag: try context.segment("tag"), of: app.id)
            return Response(["result": isMember])
        }
    }
}

/// The aliases of an app: `/v3/aliases`.
///
/// Source: JPush REST API v3, "Device API"; the new format is used by the current libraries for Java and Go.
struct AliasRoutes: Sendable {
    let devices: DeviceController
    let timeZone: TimeZone

    func add(to group: RouterGroup<APIContext>) {
        let alias = group.resource("v3/aliases/:alias", [.get, .post, .delete], code: 7002)
        alias.on(.get) { request, context, app in
            let isServed = try request.platforms().contains(.ios)
            let holders = isServed ? devices.holders(ofAlias: try context.segment("alias"), app: app.id) : []
            return Response(request.parameter("new_format") == "true" ? newFormat(holders) : Self.plain(holders))
        }
        alias.on(.delete) { request, context, app in
            try await devices.deleteAlias(try context.segment("alias"), of: app.id, platforms: try request.platforms())
            return .done
        }
        alias.on(.post) { request, context, app in
            let change = try MembershipChange(ofAlias: try await request.bytes())
            try await devices.change(alias: try context.segment("alias"), of: app.id, change)
            return .done
        }
    }

    private static func plain(_ holders: [DeviceController.AliasHolder]) -> JSONMembers {
        ["registration_ids": holders.map(\.registrationID.text)]
    }

    private func newFormat(_ holders: [DeviceController.AliasHolder]) -> JSONMembers {
        let data = holders.map { holder -> JSONMembers in
            [
                "registration_id": holder.registrationID.text, "platform": "ios",
                "last_online_date": holder.lastSeen.day(in: timeZone),
            ]
        }
        return ["data": data]
    }
}
