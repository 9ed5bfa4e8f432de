import Hummingbird
import PushModel
import PushService

/// Authenticates a developer by `Basic base64(devKey:devSecret)`, and applies the rate limit.
///
/// Source: JPush REST API, "Admin API v1", sections on authentication and error codes.
struct DeveloperAuthentication: RouterMiddleware {
    let controller: DeveloperController
    let limiter: RateLimiter
    let failures: FailedLogins

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        await APIErrors.catching(request, of: .admin, context: context) {
            guard let credentials = BasicCredentials(request) else { throw JPushError.developerCredentialsMissing }
            guard let key = AppKey(credentials.user), let developer = try await controller.developer(key) else {
                let answer = Response(JPushError.developerUnknown)
                return failures.answer(answer, to: request, context, as: "an unknown developer")
            }
            guard developer.secretHash.matches(credentials.password) else {
                let answer = Response(JPushError.developerSecretWrong)
                return failures.answer(answer, to: request, context, as: "developer \(developer.key)")
            }
            guard developer.isEnabled else { throw JPushError.developerNotEnabled }
            var context = context
            context.developer = developer
            return await limiter.answer(request, by: .developer(developer.id), of: .admin, context: context, next)
        }
    }
}

/// Returns the authenticated developer of a request.
func callingDeveloper(_ context: APIContext) throws -> Developer {
    guard let developer = context.developer else { throw JPushError.developerCredentialsMissing }
    return developer
}
