import Hummingbird
import PushModel
import PushService

/// Single pushes: `/v3/push`, `/v3/push/file`, `/v3/push/validate`, `/v3/push/{msg_id}`, and the quotas of other channels.
///
/// Source: JPush REST API v3, "Push API".
struct PushRoutes: Sendable {
    let acceptor: PushAcceptor

    func add(to group: RouterGroup<APIContext>) {
        group.post("v3/push") { request, context in
            let (push, body) = try await Self.push(request)
            let result = try await acceptor.accept(push, body, for: try caller(context))
            return Response(json: result.json, warnings: push.warnings(in: body), to: request)
        }
        group.post("v3/push/validate") { request, context in
            let (push, body) = try await Self.push(request)
            let result = try await acceptor.validate(push, body, for: try caller(context))
            return Response(json: result.json, warnings: push.warnings(in: body), to: request)
        }
        group.post("v3/push/file") { request, context in
            let (push, body) = try await Self.push(request, file: .required)
            let result = try await acceptor.accept(push, body, for: try caller(context))
            return Response(json: result.json, warnings: push.warnings(in: body), to: request)
        }
        for path in ["v3/push", "v3/push/validate", "v3/push/file"] {
            group.refuseMethods(besides: [.post], at: path, code: 1001)
        }
        let one = "v3/push/:message"
        group.delete(RouterPath(one)) { _, context in
            try await acceptor.withdraw(try context.parameters.require("message"), of: try caller(context))
            return Response.done
        }
        group.refuseMethods(besides: [.delete], at: one, code: 1001)
        let quota = "v3/push/quota"
        group.get(RouterPath(quota)) { _, context in
            _ = try caller(context)
            return Response(json: Self.quota)
        }
        group.refuseMethods(besides: [.get], at: quota, code: 1001)
    }

    private static func push(
        _ request: Request,
        file: FileAudience = .refused
    ) async throws -> (PushRequest, body: [UInt8]) {
        let body = try await request.push()
        return (try PushRequest(parsing: body, file: file), body)
    }

    /// The quotas of other vendors, which are null because nothing is sent to them (the format is JPush's).
    private static let quota: JSONValue = [
        "code": 0, "message": "success", "data": ["xiaomi_quota": .null, "oppo_quota": .null, "vivo_quota": .null],
    ]
}
