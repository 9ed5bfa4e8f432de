import Foundation
import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints for devices: a list, the details of one, and the import from other services.
struct DeviceListRoutes: Sendable {
    let devices: DeviceController
    let importer: DeviceImporter

    func add(to group: RouterGroup<APIContext>) {
        group.add(.get, at: "posthorn/v1/devices") { request, _, app in
            let tag = request.parameter("tag")
            let alias = request.parameter("alias")
            let total = try request.flag("total") ? devices.count(of: app.id, tag: tag, alias: alias) : nil
            let page = try await devices.list(
                of: app.id,
                tag: tag,
                alias: alias,
                after: request.parameter("after"),
                limit: try request.number("limit", in: 1...1000) ?? 100
            )
            return Response(of: DeviceListAnswer(devices: page.map(devices.answer), total: total))
        }
        group.add(.get, at: "posthorn/v1/devices/:registrationID") { _, context, app in
            Response(of: try await devices.answer(for: try context.segment("registrationID"), of: app.id))
        }
        group.add(.post, at: "posthorn/v1/devices/import") { request, _, app in
            let body = try DeviceImportBody(parsing: try await request.bytes(), limit: DeviceImporter.limit)
            let environment = body.environment ?? app.defaultEnvironment
            return Response(of: try await importer.add(body.devices, of: app.id, environment: environment))
        }
    }
}
