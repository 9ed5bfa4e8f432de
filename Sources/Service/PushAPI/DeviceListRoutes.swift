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
            let page = try await devices.list(
                of: app.id,
                tag: request.parameter("tag"),
                alias: request.parameter("alias"),
                after: request.parameter("after"),
                limit: try request.number("limit", in: 1...1000) ?? 100
            )
            return Response(of: DeviceListAnswer(devices: page.map(devices.answer)))
        }
        group.add(.get, at: "posthorn/v1/devices/:registrationID") { _, context, app in
            Response(of: try await devices.answer(for: try context.segment("registrationID"), of: app.id))
        }
        group.add(.post, at: "posthorn/v1/devices/import") { request, _, app in
            Response(of: try await importDevices(try await request.bytes(), for: app))
        }
    }

    /// Imports `{"devices":[…],"environment":…}`.
    private func importDevices(_ body: [UInt8], for app: App) async throws -> ImportAnswer {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw JPushError.missing("The body is not JSON: \(error).") }
        guard let members = json.object?["devices"]?.array else {
            throw JPushError.missing("'devices' is missing; expected an array of objects.")
        }
        guard members.count <= DeviceImporter.limit else {
            throw JPushError.badValue(
                "'devices' has \(members.count) members; expected at most \(DeviceImporter.limit)."
            )
        }
        var environment = app.defaultEnvironment
        if let value = json.object?["environment"], value != .null {
            guard let given = value.string.flatMap(APNSEnvironment.init(rawValue:)) else {
                throw JPushError.badValue("'environment' is \(value.text); expected 'production' or 'development'.")
            }
            environment = given
        }
        var rows: [DeviceImport] = []
        for (index, member) in members.enumerated() {
            do {
                guard let object = member.object else { throw DeviceImport.Problem("It is not an object.") }
                rows.append(try DeviceImport(object))
            } catch let problem as DeviceImport.Problem { throw JPushError.badValue("'devices[\(index)]': \(problem)") }
        }
        return try await importer.add(rows, of: app.id, environment: environment)
    }
}
