import Hummingbird
import PushModel
import PushService

/// Idempotency keys for pushes and schedules: `/v3/push/cid`.
///
/// Source: JPush REST API v3, "Push API", section "cid". They are not stored: any well-formed cid is valid.
struct CIDRoutes: Sendable {
    func add(to group: RouterGroup<APIContext>) {
        group.get("v3/push/cid") { request, context in
            let app = try caller(context)
            let text = request.parameter("count") ?? ""
            guard let count = text.isEmpty ? 1 : Int(text), JPushLimits.cids.contains(count) else {
                throw JPushError.badValue("'count' is '\(text)'; expected 1 to \(JPushLimits.cids.upperBound).")
            }
            let kind = request.parameter("type") ?? ""
            guard ["", "push", "schedule"].contains(kind) else {
                throw JPushError.badValue("'type' is '\(kind)'; expected 'push' or 'schedule'.")
            }
            return Response(json: ["cidlist": .array((0..<count).map { _ in .string(app.key.makeCID()) })])
        }
        group.refuseMethods(besides: [.get], at: "v3/push/cid", code: 1001)
    }
}
