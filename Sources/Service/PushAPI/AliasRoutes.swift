import Foundation
import Hummingbird
import PushModel
import PushService

/// The aliases of an app: `/v3/aliases`.
///
/// Source: JPush REST API v3, "Device API"; the new format is used by the current libraries for Java and Go.
struct AliasRoutes: Sendable {
    let devices: DeviceController
    let timeZone: TimeZone

    func add(to group: RouterGroup<APIContext>) {
        let path = "v3/aliases/:alias"
        group.get(RouterPath(path)) { request, context in
            let app = try caller(context)
            let isServed = try request.platforms().contains(.ios)
            let holders = isServed ? devices.holders(ofAlias: try context.segment("alias"), app: app.id) : []
            return Response(json: request.parameter("new_format") == "true" ? newFormat(holders) : Self.plain(holders))
        }
        group.delete(RouterPath(path)) { request, context in
            let app = try caller(context)
            try await devices.deleteAlias(try context.segment("alias"), of: app.id, platforms: try request.platforms())
            return Response.done
        }
        group.post(RouterPath(path)) { request, context in
            let app = try caller(context)
            let change = try MembershipChange(ofAlias: try await request.bytes())
            try await devices.change(alias: try context.segment("alias"), of: app.id, change)
            return Response.done
        }
        group.refuseMethods(besides: [.get, .post, .delete], at: path)
    }

    private static func plain(_ holders: [DeviceController.AliasHolder]) -> JSONValue {
        ["registration_ids": .array(holders.map { .string($0.registrationID.text) })]
    }

    private func newFormat(_ holders: [DeviceController.AliasHolder]) -> JSONValue {
        let data = holders.map { holder -> JSONValue in
            [
                "registration_id": .string(holder.registrationID.text), "platform": "ios",
                "last_online_date": .string(holder.lastSeen.day(in: timeZone)),
            ]
        }
        return ["data": .array(data)]
    }
}
