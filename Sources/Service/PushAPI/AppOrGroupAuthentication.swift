import Hummingbird

/// Authenticates an app or a group, depending on the user name.
struct AppOrGroupAuthentication: RouterMiddleware {
    let app: AppAuthentication
    let group: GroupAuthentication

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        if BasicCredentials(request)?.user.hasPrefix(GroupAuthentication.prefix) == true {
            return try await group.handle(request, context: context, next: next)
        }
        return try await app.handle(request, context: context, next: next)
    }
}
