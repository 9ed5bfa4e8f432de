import Hummingbird
import PushModel
import PushService

/// Rejects an authenticated app from group reports with 2003; an unauthenticated client gets 3001.
struct GroupReportGuard: RouterMiddleware {
    let registry: Registry

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        if let credentials = BasicCredentials(request), let key = AppKey(credentials.user),
            let app = try await registry.app(key), app.secretHash.matches(credentials.password)
        {
            return Response(.reportNotPermitted("The key of an app may not ask for reports of groups; use a group's."))
        }
        return try await next(request, context)
    }
}
