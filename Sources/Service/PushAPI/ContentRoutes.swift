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

/// Push plans: `/v3/push_plan`, and Posthorn's own report on one.
///
/// Source: JPush REST API v3, "Push plan management API", edition of 2025-04.
struct PlanRoutes: Sendable {
    let plans: PlanController
    let timeZone: TimeZone

    func add(to group: RouterGroup<APIContext>) {
        let done: JSONValue = ["code": 0, "message": "success"]
        group.post("v3/push_plan/create") { request, context in
            try await plans.create(try await request.bytes(), for: try caller(context))
            return Response(json: done)
        }
        group.put("v3/push_plan/update") { request, context in
            try await plans.change(try await request.bytes(), of: try caller(context))
            return Response(json: done)
        }
        group.get("v3/push_plan/list") { request, context in
            let app = try caller(context)
            let page = try request.number("page", in: 1...1_000_000) ?? 1
            let size =
                try request.number("page_size", in: 1...JPushLimits.plansPerPage.most) ?? JPushLimits.plansPerPage.usual
            let found = try await plans.plans(of: app.id, containing: request.parameter("info") ?? "")
            // All plans are made by the API, which is 0.
            let all = request.parameter("send_source") == "1" ? [] : found
            return Response(
                json: [
                    "code": 0, "message": "success",
                    "data": [
                        "total": .number(all.count), "page": .number(page), "page_size": .number(size),
                        "detail": .array(all.dropFirst((page - 1) * size).prefix(size).map(json)),
                    ],
                ]
            )
        }
        for (path, method) in [("create", HTTPRequest.Method.post), ("update", .put), ("list", .get)] {
            group.refuseMethods(besides: [method], at: "v3/push_plan/\(path)", code: 1001)
        }
    }

    func add(own group: RouterGroup<APIContext>) {
        let path = "posthorn/v1/plans/:plan"
        group.get(RouterPath(path)) { _, context in
            let app = try caller(context)
            let (plan, pushes, sum) = try await plans.report(on: try context.segment("plan"), of: app.id)
            let compared = pushes.prefix(JPushLimits.comparedPlanMessages).map {
                JSONCoding.json(of: MessageDetailAnswer($0.counts, of: $0.id))
            }
            return Response(
                json: [
                    "plan": json(plan), "msg_ids": .strings(pushes.map(\.id.description)),
                    "counts": JSONCoding.json(of: MessageDetailAnswer(sum, plan: plan.name)),
                    "messages": .array(compared),
                ]
            )
        }
        group.refuseMethods(besides: [.get], at: path, code: 1001)
    }

    private func json(_ plan: PushPlan) -> JSONValue {
        var object: JSONObject = [
            "name": .string(plan.name), "description": .string(plan.description), "push_count": .number(plan.pushCount),
            "create_time": .string(plan.createdAt.time(in: timeZone)),
        ]
        object["last_used_time"] = plan.lastUsedAt.map { .string($0.time(in: timeZone)) }
        object["send_source"] = 0
        return .object(object)
    }
}
