import Foundation
import Hummingbird
import PushModel
import PushService

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
            let compared = pushes.prefix(JPushLimits.comparedPlanMessages).map { push in
                Optional(push.counts).messagesDetail(.string(push.id.description))
            }
            return Response(
                json: [
                    "plan": json(plan), "msg_ids": .strings(pushes.map(\.id.description)),
                    "counts": sum.messagesDetail(.string(plan.name), named: "plan_id"), "messages": .array(compared),
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
