import Foundation
import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints for devices: a list, the details of one, and the import from other services.
struct DeviceListRoutes: Sendable {
    let devices: DeviceController
    let importer: DeviceImporter

    private static let pageSizes = 1...1000

    func add(to group: RouterGroup<APIContext>) {
        group.get("posthorn/v1/devices") { request, context in
            let app = try caller(context)
            return Response(json: try await page(request, of: app))
        }
        group.get("posthorn/v1/devices/:registrationID") { _, context in
            let app = try caller(context)
            let device = try await devices.answer(for: try context.segment("registrationID"), of: app.id)
            return Response(json: JSONCoding.json(of: device))
        }
        group.post("posthorn/v1/devices/import") { request, context in
            let app = try caller(context)
            return Response(json: try await importDevices(try await request.bytes(), for: app))
        }
        for path in ["", "/:registrationID"] {
            group.refuseMethods(besides: [.get], at: "posthorn/v1/devices\(path)", code: 1001)
        }
        group.refuseMethods(besides: [.post], at: "posthorn/v1/devices/import", code: 1001)
    }

    private func page(_ request: Request, of app: App) async throws -> JSONValue {
        let page = try await devices.list(
            of: app.id,
            tag: request.parameter("tag"),
            alias: request.parameter("alias"),
            after: request.parameter("after"),
            limit: try request.number("limit", in: Self.pageSizes) ?? 100
        )
        return JSONCoding.json(of: DeviceListAnswer(devices: page.map(devices.answer)))
    }

    /// Imports `{"devices":[…],"environment":…}`.
    private func importDevices(_ body: [UInt8], for app: App) async throws -> JSONValue {
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
            } catch let problem as DeviceImport.Problem {
                throw JPushError.badValue("'devices[\(index)]': \(problem)")
            }
        }
        return JSONCoding.json(of: try await importer.add(rows, of: app.id, environment: environment))
    }
}
