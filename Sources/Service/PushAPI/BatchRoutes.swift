import Hummingbird
import PushModel
import PushService

/// Many pushes to one device or alias each in one request: `/v3/push/batch/regid/single`, `/v3/push/batch/alias/single`.
///
/// Source: JPush REST API v3, "Batch single push API".
struct BatchRoutes: Sendable {
    let acceptor: PushAcceptor

    func add(to group: RouterGroup<APIContext>) {
        for (name, kind) in [("regid", TargetKind.registrationID), ("alias", .alias)] {
            let path = "v3/push/batch/\(name)/single"
            group.post(RouterPath(path)) { request, context in
                let app = try caller(context)
                let batch = try PushBatch(parsing: try await request.push(), to: kind)
                return Response(json: Self.json(try await acceptor.accept(batch, for: app)))
            }
            group.refuseMethods(besides: [.post], at: path, code: 1001)
        }
    }

    /// Keyed by cid: `{"msg_id":…}`, or `{"error":…}` with a `msg_id` beside it for 1011.
    private static func json(_ answers: [PushAcceptor.BatchAnswer]) -> JSONValue {
        .object(
            JSONObject(
                distinct: answers.map { cid, result in
                    switch result {
                    case .success(let push):
                        JSONObject.Member(key: cid, value: ["msg_id": .string(push.messageID.description)])
                    case .failure(let error): JSONObject.Member(key: cid, value: error.json)
                    }
                }
            )
        )
    }
}
