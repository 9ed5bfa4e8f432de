import Hummingbird
import PushService

/// Reads the changes of other nodes before a request is answered, so that a caller finds what it has changed at any node.
///
/// Does nothing in a service that is alone.
struct OtherNodesFirst: RouterMiddleware {
    let node: NodeRunner?

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        try await node?.feed.catchUp()
        return try await next(request, context)
    }
}
