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
        group.add(.post, at: "v3/push/template") { request, _, app in
            let results = try await templates.send(try await request.push(), for: app)
            return Self.answer(results, "push_list", to: request) { ("message_id", $0.messageID.description) }
        }
        group.add(.post, at: "v3/push/template/schedule") { request, _, app in
            let results = try await templates.schedule(try await request.push(), for: app)
            return Self.answer(results, "schedule_list", to: request) { ("schedule_id", $0.uuidString.lowercased()) }
        }
    }

    func add(own group: RouterGroup<APIContext>) {
        let all = group.resource("posthorn/v1/templates", [.get, .post])
        all.on(.get) { _, _, app in
            Response(["templates": try await templates.store.templates(of: app.id).map(Self.members)])
        }
        all.on(.post) { request, _, app in
            Self.answer(try await templates.create(try await request.bytes(), for: app), to: request)
        }
        let one = group.resource("posthorn/v1/templates/:template", [.get, .put, .delete])
        one.on(.get) { _, context, app in
            Response(
                Self.members(of: try await templates.template(try context.parameters.require("template"), of: app.id))
            )
        }
        one.on(.put) { request, context, app in
            let id = try context.parameters.require("template")
            return Self.answer(try await templates.change(id, of: app.id, try await request.bytes()), to: request)
        }
        one.on(.delete) { _, context, app in
            try await templates.delete(try context.parameters.require("template"), of: app.id)
            return .done
        }
    }

    /// Returns a template that was made or changed.
    private static func answer(_ record: TemplateRecord, to request: Request) -> Response {
        Response(json: .object(members(of: record).json), warnings: record.template.warnings, to: request)
    }

    private static func members(of record: TemplateRecord) -> JSONMembers {
        [
            "id": record.id, "name": record.template.name, "push": JSONValue.object(record.template.push),
            "variables": record.template.variables, "created_at": record.createdAt,
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
            case .failure(let error): entry = JSONObject(present: ["code": error.code, "message": error.message])
            }
            entry.add(present: ["trace_id": traceID])
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
        group.add(.post, at: "v3/push_plan/create") { request, _, app in
            try await plans.create(try await request.bytes(), for: app)
            return Response(json: done)
        }
        group.add(.put, at: "v3/push_plan/update") { request, _, app in
            try await plans.change(try await request.bytes(), of: app)
            return Response(json: done)
        }
        group.add(.get, at: "v3/push_plan/list") { request, _, app in
            let page = try request.number("page", in: 1...1_000_000) ?? 1
            let size =
                try request.number("page_size", in: 1...JPushLimits.plansPerPage.most) ?? JPushLimits.plansPerPage.usual
            let found = try await plans.plans(of: app.id, containing: request.parameter("info") ?? "")
            // All plans are made by the API, which is 0.
            let all = request.parameter("send_source") == "1" ? [] : found
            let data: JSONMembers = [
                "total": all.count, "page": page, "page_size": size,
                "detail": all.dropFirst((page - 1) * size).prefix(size).map { json($0) { $0.time(in: timeZone) } },
            ]
            return Response(["code": 0, "message": "success", "data": data])
        }
    }

    func add(own group: RouterGroup<APIContext>) {
        let one = group.resource("posthorn/v1/plans/:plan", [.get, .delete])
        one.on(.delete) { _, context, app in
            try await plans.delete(try context.segment("plan"), of: app.id)
            return .done
        }
        one.on(.get) { _, context, app in
            let (plan, pushes, sum) = try await plans.report(on: try context.segment("plan"), of: app.id)
            let compared = pushes.prefix(JPushLimits.comparedPlanMessages)
            return Response([
                "plan": json(plan) { $0.text(in: timeZone) }, "msg_ids": pushes.map(\.id.description),
                "counts": MessageDetailAnswer(sum, plan: plan.name),
                "messages": compared.map { MessageDetailAnswer($0.counts, of: $0.id) },
            ])
        }
    }

    /// JPush's call has times without an offset.
    private func json(_ plan: PushPlan, _ time: (Date) -> String) -> JSONValue {
        .object(
            JSONObject(present: [
                "name": plan.name, "description": plan.description, "push_count": plan.pushCount,
                "create_time": time(plan.createdAt), "last_used_time": plan.lastUsedAt.map(time), "send_source": 0,
            ])
        )
    }
}
