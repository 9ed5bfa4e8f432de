import Hummingbird
import PushModel
import PushService

/// Authenticates an app by `Basic base64(appKey:masterSecret)`, and applies the rate limit.
///
/// Source: JPush REST API v3, "Overview", sections on authentication and rate limits. The errors depend on the family.
struct AppAuthentication: RouterMiddleware {
    let family: APIFamily
    let registry: Registry
    let limiter: RateLimiter
    let callers: ProvenCallers
    let failures: FailedLogins

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        await APIErrors.catching(request, of: family, context: context) {
            if let app = context.verifiedApp {
                var context = context
                context.app = app
                return try await next(request, context)
            }
            guard let credentials = BasicCredentials(request) else { throw family.credentialsMissing }
            let app: App
            do { app = try await self.app(credentials.user) } catch let error as JPushError {
                return failures.answer(Response(error), to: request, context, as: "an unknown app")
            }
            guard app.secretHash.matches(credentials.password) else {
                var response = Response(family.secretWrong)
                response.add(limiter.peek(for: .app(app.id), family))
                return failures.answer(response, to: request, context, as: "app \(app.key)")
            }
            if let authorization = request.headers[.authorization] { callers.remember(authorization, of: app) }
            var context = context
            context.app = app
            return await limiter.answer(request, by: .app(app.id), of: family, context: context, next)
        }
    }

    private func app(_ text: String) async throws -> App {
        guard let key = AppKey(text) else { throw family.appKeyMalformed(text) }
        guard let app = try await registry.app(key) else { throw family.appKeyUnknown(text) }
        return app
    }
}

/// Returns the authenticated app of a request.
func caller(_ context: APIContext) throws -> App {
    guard let app = context.app else { throw JPushError.unauthorized }
    return app
}

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
