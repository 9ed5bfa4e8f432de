import Hummingbird
import PushModel
import PushService

/// Scheduled pushes: `/v3/schedules`.
///
/// Source: JPush REST API v3, "Schedule API".
struct ScheduleRoutes: Sendable {
    let schedules: ScheduleController

    func add(to group: RouterGroup<APIContext>) {
        let all = group.resource("v3/schedules", [.get, .post], code: 8100)
        all.on(.post) { request, _, app in
            let body = try await request.bytes()
            let (id, name) = try await schedules.create(body, for: app)
            let new = NewScheduleAnswer(id: id, name: name)
            return Response(json: JSONCoding.json(of: new), warningAbout: body, to: request)
        }
        all.on(.get) { request, _, app in try await page(request.parameter("page") ?? "", of: app) }
        let one = group.resource("v3/schedules/:schedule", [.get, .put, .delete], code: 8100)
        one.on(.get) { _, context, app in
            let id = try context.parameters.require("schedule")
            return Response(of: ScheduleAnswer(try await schedules.schedule(id, of: app.id)))
        }
        one.on(.put) { request, context, app in
            let id = try context.parameters.require("schedule")
            let body = try await request.bytes()
            let changed = ScheduleAnswer(try await schedules.change(id, of: app, body))
            return Response(json: JSONCoding.json(of: changed), warningAbout: body, to: request)
        }
        one.on(.delete) { _, context, app in
            try await schedules.delete(try context.parameters.require("schedule"), of: app.id)
            return .done
        }
        group.add(.get, at: "v3/schedules/:schedule/msg_ids", code: 8100) { _, context, app in
            let id = try context.parameters.require("schedule")
            return Response(of: FiringListAnswer(try await schedules.firings(id, of: app.id)))
        }
    }

    private func page(_ text: String, of app: App) async throws -> Response {
        guard let number = text.isEmpty ? 1 : Int(text), number >= 1 else {
            throw JPushError.badSchedule("'page' is '\(text)'; expected a number from 1.")
        }
        return Response(of: try await schedules.page(number, of: app.id))
    }
}
