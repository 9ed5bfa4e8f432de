import Foundation
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
            return Response(
                json: ["schedule_id": Self.json(id), "name": .string(name)],
                warningAbout: body,
                to: request
            )
        }
        group.get(RouterPath(all)) { request, context in
            let app = try caller(context)
            return try await page(request.parameter("page") ?? "", of: app)
        }
        group.refuseMethods(besides: [.get, .post], at: all, code: 8100)
        let one = "v3/schedules/:schedule"
        group.get(RouterPath(one)) { _, context in
            let app = try caller(context)
            return Response(
                json: Self.json(try await schedules.schedule(try context.parameters.require("schedule"), of: app.id))
            )
        }
        group.put(RouterPath(one)) { request, context in
            let app = try caller(context)
            let id = try context.parameters.require("schedule")
            let body = try await request.bytes()
            return Response(
                json: Self.json(try await schedules.change(id, of: app, body)),
                warningAbout: body,
                to: request
            )
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
            return Response(
                json: [
                    "count": .number(firings.count), "msgids": .array(firings.map { .string(Self.text($0)) }),
                ]
            )
        }
        group.refuseMethods(besides: [.get], at: messages, code: 8100)
    }

    private func page(_ text: String, of app: App) async throws -> Response {
        guard let number = text.isEmpty ? 1 : Int(text), number >= 1 else {
            throw JPushError.badSchedule("'page' is '\(text)'; expected a number from 1.")
        }
        let page = try await schedules.page(number, of: app.id)
        return Response(
            json: [
                "total_count": .number(page.total), "total_pages": .number(page.pages),
                "page": .number(number), "schedules": .array(page.schedules.map(Self.json)),
            ]
        )
    }

    private static func json(_ id: UUID) -> JSONValue { .string(id.uuidString.lowercased()) }

    private static func json(_ record: ScheduleRecord) -> JSONValue {
        [
            "schedule_id": json(record.id), "name": .string(record.schedule.name),
            "enabled": .bool(record.schedule.isEnabled), "trigger": record.schedule.triggerJSON,
            "push": record.schedule.push,
        ]
    }

    /// Returns a firing as JSON inside a string, the format since 2018.
    private static func text(_ firing: ScheduleFiring) -> String {
        let error: JSONValue = [
            "code": .number(firing.error?.code ?? 0), "message": .string(firing.error?.message ?? ""),
        ]
        let json: JSONValue = [
            "msg_id": .string(firing.messageID?.description ?? ""), "error": error, "needRetry": false,
            "ts": .integer(Int64((firing.at.timeIntervalSince1970 * 1000).rounded())),
        ]
        return json.text
    }
}
