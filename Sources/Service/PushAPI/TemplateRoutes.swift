import Foundation
import Hummingbird
import PushModel
import PushService

/// Push templates: `/v3/push/template` and `/v3/push/template/schedule`, and Posthorn's own calls that make templates.
///
/// Source: JPush REST API v3, "Push template API", edition of 2025-03.
struct TemplateRoutes: Sendable {
    let templates: TemplateController

    func add(to group: RouterGroup<APIContext>) {
        let send = "v3/push/template"
        group.post(RouterPath(send)) { request, context in
            let results = try await templates.send(try await request.push(), for: try caller(context))
            return Self.answer(results, "push_list", to: request) { ("message_id", $0.messageID.description) }
        }
        let schedule = "v3/push/template/schedule"
        group.post(RouterPath(schedule)) { request, context in
            let results = try await templates.schedule(try await request.push(), for: try caller(context))
            return Self.answer(results, "schedule_list", to: request) { ("schedule_id", $0.uuidString.lowercased()) }
        }
        for path in [send, schedule] { group.refuseMethods(besides: [.post], at: path, code: 1001) }
    }

    func add(own group: RouterGroup<APIContext>) {
        let all = "posthorn/v1/templates"
        group.get(RouterPath(all)) { _, context in
            let records = try await templates.templates(of: try caller(context).id)
            return Response(json: ["templates": .array(records.map(Self.json))])
        }
        group.post(RouterPath(all)) { request, context in
            let app = try caller(context)
            return Response(json: Self.json(try await templates.create(try await request.bytes(), for: app)))
        }
        group.refuseMethods(besides: [.get, .post], at: all, code: 1001)
        let one = "posthorn/v1/templates/:template"
        group.get(RouterPath(one)) { _, context in
            let id = try context.parameters.require("template")
            return Response(json: Self.json(try await templates.template(id, of: try caller(context).id)))
        }
        group.put(RouterPath(one)) { request, context in
            let (app, id) = (try caller(context), try context.parameters.require("template"))
            return Response(json: Self.json(try await templates.change(id, of: app.id, try await request.bytes())))
        }
        group.delete(RouterPath(one)) { _, context in
            try await templates.delete(try context.parameters.require("template"), of: try caller(context).id)
            return Response.done
        }
        group.refuseMethods(besides: [.get, .put, .delete], at: one, code: 1001)
    }

    private static func json(_ record: TemplateRecord) -> JSONValue {
        [
            "id": .string(record.id), "name": .string(record.template.name), "push": .object(record.template.push),
            "variables": .strings(record.template.variables), "created_at": .date(record.createdAt),
        ]
    }

    /// Returns JPush's answer: a list of results, each with a `code` of 0 and an id, or with the code of an error.
    private static func answer<Value>(
        _ results: TemplateController.Results<Value>,
        _ list: String,
        to request: Request,
        id: (Value) -> (key: String, id: String)
    ) -> Response {
        let entries = results.results.map { traceID, result in
            var entry: JSONObject
            switch result {
            case .success(let value):
                let (key, id) = id(value)
                entry = ["code": 0, "message": "success", key: .string(id)]
            case .failure(let error): entry = ["code": .number(error.code), "message": .string(error.message)]
            }
            entry["trace_id"] = traceID.map { .string($0) }
            return JSONValue.object(entry)
        }
        let data = JSONObject([(list, .array(entries))])
        return Response(
            json: ["code": 0, "message": "success", "data": .object(data)],
            warnings: results.warnings,
            to: request
        )
    }
}
