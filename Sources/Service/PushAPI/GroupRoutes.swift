import Hummingbird
import PushModel
import PushService

/// One push to every app of a group: `/v3/grouppush` and `/v3/grouppush/file`.
///
/// Source: JPush REST API v3, "Group push API".
struct GroupRoutes: Sendable {
    let acceptor: PushAcceptor

    func add(to group: RouterGroup<APIContext>) {
        for (path, file) in [("v3/grouppush", FileAudience.refused), ("v3/grouppush/file", .required)] {
            group.post(RouterPath(path)) { request, context in
                let group = try callingGroup(context)
                let body = try await request.push()
                return Response(
                    json: try await acceptor.accept(body, for: group, file: file).answer,
                    warningAbout: body,
                    to: request
                )
            }
            group.refuseMethods(besides: [.post], at: path, code: 1001)
        }
    }
}
