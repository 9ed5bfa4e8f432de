import Hummingbird
import PushModel
import PushService

/// Authenticates a group of apps by `Basic base64(group-GROUPKEY:groupMasterSecret)`, and applies the rate limit.
///
/// Source: JPush REST API v3, "Group push API", section on authentication. The errors are the same as for an app.
struct GroupAuthentication: RouterMiddleware {
    static let prefix = "group-"

    let family: APIFamily
    let groups: any GroupStore
    let limiter: RateLimiter
    let failures: FailedLogins

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        await APIErrors.catching(request, of: family, context: context) {
            guard let credentials = BasicCredentials(request) else { throw family.credentialsMissing }
            guard let group = try await group(credentials) else {
                return failures.answer(Response(family.credentialsMissing), to: request, context, as: "a group")
            }
            var context = context
            context.group = group
            return await limiter.answer(request, by: .group(group.id), of: family, context: context, next)
        }
    }

    private func group(_ credentials: BasicCredentials) async throws -> AppGroup? {
        guard credentials.user.hasPrefix(Self.prefix),
            let key = GroupKey(String(credentials.user.dropFirst(Self.prefix.count)))
        else { return nil }
        return try await groups.group(key, secret: credentials.password)
    }
}

/// Returns the authenticated group of a request.
func callingGroup(_ context: APIContext) throws -> AppGroup {
    guard let group = context.group else { throw JPushError.unauthorized }
    return group
}
