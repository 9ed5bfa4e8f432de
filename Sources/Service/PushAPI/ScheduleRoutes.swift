import Hummingbird
import PushModel
import PushService

/// Scheduled pushes: `/v3/schedules`.
///
/// Source: JPush REST API v3, "Schedule API".
struct ScheduleRoutes: Sendable {
    let schedules: ScheduleController

    func add(to group: RouterGroup<APIContext>) {
        let all = "v3/schedules"
        group.post(RouterPath(all)) { request, context in
            let body = try await request.bytes()
            let (id, name) = try await schedules.create(body, for: try caller(context))
            let new = NewScheduleAnswer(id: id, name: name)
            return Response(json: JSONCoding.json(of: new), warningAbout: body, to: request)
        }
        group.get(RouterPath(all)) { request, context in
            let app = try caller(context)
            return try await page(request.parameter("page") ?? "", of: app)
        }
        group.refuseMethods(besides: [.get, .post], at: all, code: 8100)
        let one = "v3/schedules/:schedule"
        group.get(RouterPath(one)) { _, context in
            let app = try caller(context)
            let schedule = try await schedules.schedule(try context.parameters.require("schedule"), of: app.id)
            return Response(json: JSONCoding.json(of: ScheduleAnswer(schedule)))
        }
        group.put(RouterPath(one)) { request, context in
            let app = try caller(context)
            let id = try context.parameters.require("schedule")
            let body = try await request.bytes()
            let changed = ScheduleAnswer(try await schedules.change(id, of: app, body))
            return Response(json: JSONCoding.json(of: changed), warningAbout: body, to: request)
        }
        group.delete(RouterPath(one)) { _, context in
            let app = try caller(context)
            try await schedules.delete(try context.parameters.require("schedule"), of: app.id)
            return Response.done
        }
        group.refuseMethods(besides: [.get, .put, .delete], at: one, code: 8100)
        let messages = "v3/schedules/:schedule/msg_ids"
        group.get(RouterPath(messages)) { _, context in
            let app = try caller(context)
            let firings = try await schedules.firings(try context.parameters.require("schedule"), of: app.id)
            return Response(json: JSONCoding.json(of: FiringListAnswer(firings)))
        }
        group.refuseMethods(besides: [.get], at: messages, code: 8100)
    }

    private func page(_ text: String, of app: App) async throws -> Response {
        guard let number = text.isEmpty ? 1 : Int(text), number >= 1 else {
            throw JPushError.badSchedule("'page' is '\(text)'; expected a number from 1.")
        }
        return Response(json: JSONCoding.json(of: try await schedules.page(number, of: app.id)))
    }
}
