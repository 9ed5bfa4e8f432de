import Hummingbird
import PushModel
import PushService

/// The tags of an app: `/v3/tags`.
///
/// Source: JPush REST API v3, "Device API".
struct TagRoutes: Sendable {
    let devices: DeviceController

    func add(to group: RouterGroup<APIContext>) {
        group.get("v3/tags") { _, context in
            let tags = devices.tags(of: try caller(context).id)
            return Response(json: ["tags": .array(tags.map { .string($0) })])
        }
        group.refuseMethods(besides: [.get], at: "v3/tags")
        let one = "v3/tags/:tag"
        group.post(RouterPath(one)) { request, context in
            let app = try caller(context)
            let change = try MembershipChange(ofTag: try await request.bytes())
            try await devices.change(tag: try context.segment("tag"), of: app.id, change)
            return Response.done
        }
        group.delete(RouterPath(one)) { request, context in
            let app = try caller(context)
            try await devices.deleteTag(try context.segment("tag"), of: app.id, platforms: try request.platforms())
            return Response.done
        }
        group.refuseMethods(besides: [.post, .delete], at: one)
        let member = "v3/tags/:tag/registration_ids/:registrationID"
        group.get(RouterPath(member)) { _, context in
            let app = try caller(context)
            let registrationID = try context.segment("registrationID")
            let isMember = try devices.has(registrationID, tag: try context.segment("tag"), of: app.id)
            return Response(json: ["result": .bool(isMember)])
        }
        group.refuseMethods(besides: [.get], at: member)
    }
}
