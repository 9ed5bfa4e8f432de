import Hummingbird
import PushModel
import PushService

/// Single pushes: `/v3/push`, `/v3/push/file`, `/v3/push/validate`, `/v3/push/{msg_id}`, and the quotas of other channels.
///
/// Source: JPush REST API v3, "Push API".
struct PushRoutes: Sendable {
    let acceptor: PushAcceptor

    func add(to group: RouterGroup<APIContext>) {
        group.add(.post, at: "v3/push") { request, _, app in
            try await answer(request) { try await acceptor.accept($0, $1, for: app) }
        }
        group.add(.post, at: "v3/push/validate") { request, _, app in
            let body = try await request.push()
            // A file is an audience only where pushes are sent, and for a forecast of one.
            let whole = try PushRequest(parsing: body, file: .allowed)
            let push = whole.isForecast ? whole : try PushRequest(parsing: body)
            guard push.isForecast else {
                let result = try await acceptor.validate(push, body, for: app)
                return Response(json: result.json, warnings: push.warnings(in: body), to: request)
            }
            let (result, forecast) = try await acceptor.forecast(push, body, for: app)
            var members = result.json.object ?? [:]
            members["forecast"] = JSONCoding.json(of: forecast)
            return Response(json: .object(members), warnings: push.warnings(in: body), to: request)
        }
        group.add(.post, at: "v3/push/file") { request, _, app in
            try await answer(request, file: .required) { try await acceptor.accept($0, $1, for: app) }
        }
        group.add(.delete, at: "v3/push/:message") { _, context, app in
            try await acceptor.withdraw(try context.parameters.require("message"), of: app)
            return .done
        }
        group.add(.get, at: "v3/push/quota") { _, _, _ in Response(json: Self.quota) }
    }

    /// Answers a push with what `perform` returns.
    private func answer(
        _ request: Request,
        file: FileAudience = .refused,
        _ perform: (PushRequest, _ body: [UInt8]) async throws -> PushResult
    ) async throws -> Response {
        let body = try await request.push()
        let push = try PushRequest(parsing: body, file: file)
        return Response(json: try await perform(push, body).json, warnings: push.warnings(in: body), to: request)
    }

    /// The quotas of other vendors, which are null because nothing is sent to them (the format is JPush's).
    private static let quota: JSONValue = [
        "code": 0, "message": "success", "data": ["xiaomi_quota": .null, "oppo_quota": .null, "vivo_quota": .null],
    ]
}

/// Idempotency keys for pushes and schedules: `/v3/push/cid`.
///
/// Source: JPush REST API v3, "Push API", section "cid". They are not stored: any well-formed cid is valid.
struct CIDRoutes: Sendable {
    func add(to group: RouterGroup<APIContext>) {
        group.add(.get, at: "v3/push/cid") { request, _, app in
            let text = request.parameter("count") ?? ""
            guard let count = text.isEmpty ? 1 : Int(text), JPushLimits.cids.contains(count) else {
                throw JPushError.badValue("'count' is '\(text)'; expected 1 to \(JPushLimits.cids.upperBound).")
            }
            let kind = request.parameter("type") ?? ""
            guard ["", "push", "schedule"].contains(kind) else {
                throw JPushError.badValue("'type' is '\(kind)'; expected 'push' or 'schedule'.")
            }
            return Response(["cidlist": (0..<count).map { _ in app.key.makeCID() }])
        }
    }
}

/// One push to every app of a group: `/v3/grouppush` and `/v3/grouppush/file`.
///
/// Source: JPush REST API v3, "Group push API".
struct GroupRoutes: Sendable {
    let acceptor: PushAcceptor

    func add(to group: RouterGroup<APIContext>) {
        for (path, file) in [("v3/grouppush", FileAudience.refused), ("v3/grouppush/file", .required)] {
            group.resource(path, [.post]).on(.post, by: callingGroup) { request, _, group in
                let body = try await request.push()
                let accepted = try await acceptor.accept(body, for: group, file: file)
                return Response(json: accepted.answer, warningAbout: body, to: request)
            }
        }
    }
}
