import Hummingbird
import NetworkSupport
import PushClock
import PushModel
import PushService

/// Authenticates an app by `Basic base64(appKey:masterSecret)`, and applies the rate limit.
///
/// Source: JPush REST API v3, "Overview", sections on authentication and rate limits. The errors depend on the family.
struct AppAuthentication: RouterMiddleware {
    let family: APIFamily
    let registry: Registry
    let clock: any CivilClock
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
            guard let credentials = request.credentials else { throw family.credentialsMissing }
            let app: App
            do { app = try await self.app(credentials.user) } catch let error as JPushError {
                return failures.answer(Response(error), to: request, context, as: "an unknown app")
            }
            guard let proof = app.proof(by: credentials.password, at: clock.date) else {
                var response = Response(family.secretWrong)
                response.add(limiter.peek(for: .app(app.id), family))
                return failures.answer(response, to: request, context, as: "app \(app.key)")
            }
            if let authorization = request.headers[.authorization] { callers.remember(authorization, of: app, proof) }
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
@Sendable
func caller(_ context: APIContext) throws -> App {
    guard let app = context.app else { throw JPushError.unauthorized }
    return app
}

/// Authenticates an app or a group, depending on the user name.
struct AppOrGroupAuthentication: RouterMiddleware {
    let app: AppAuthentication
    let group: GroupAuthentication

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        if request.credentials?.user.hasPrefix(GroupAuthentication.prefix) == true {
            return try await group.handle(request, context: context, next: next)
        }
        return try await app.handle(request, context: context, next: next)
    }
}

/// Authenticates a group of apps by `Basic base64(group-GROUPKEY:groupMasterSecret)`, and applies the rate limit.
///
/// Source: JPush REST API v3, "Group push API", section on authentication. The errors are the same as for an app.
struct GroupAuthentication: RouterMiddleware {
    static let prefix = "group-"

    let family: APIFamily
    let groups: any GroupStore
    let clock: any CivilClock
    let limiter: RateLimiter
    let failures: FailedLogins

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        await APIErrors.catching(request, of: family, context: context) {
            guard let credentials = request.credentials else { throw family.credentialsMissing }
            guard let group = try await group(credentials) else {
                return failures.answer(Response(family.credentialsMissing), to: request, context, as: "a group")
            }
            var context = context
            context.group = group
            return await limiter.answer(request, by: .group(group.id), of: family, context: context, next)
        }
    }

    private func group(_ credentials: (user: String, password: String)) async throws -> AppGroup? {
        guard credentials.user.hasPrefix(Self.prefix),
            let key = GroupKey(String(credentials.user.dropFirst(Self.prefix.count)))
        else { return nil }
        return try await groups.group(key, secret: credentials.password, at: clock.date)
    }
}

/// Returns the authenticated group of a request.
@Sendable
func callingGroup(_ context: APIContext) throws -> AppGroup {
    guard let group = context.group else { throw JPushError.unauthorized }
    return group
}

/// Authenticates a developer by `Basic base64(devKey:devSecret)`, and applies the rate limit.
///
/// Source: JPush REST API, "Admin API v1", sections on authentication and error codes.
struct DeveloperAuthentication: RouterMiddleware {
    let controller: DeveloperController
    let clock: any CivilClock
    let limiter: RateLimiter
    let failures: FailedLogins

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        await APIErrors.catching(request, of: .admin, context: context) {
            guard let credentials = request.credentials else { throw JPushError.developerCredentialsMissing }
            guard let key = AppKey(credentials.user), let developer = try await controller.store.developer(key) else {
                let answer = Response(JPushError.developerUnknown)
                return failures.answer(answer, to: request, context, as: "an unknown developer")
            }
            guard developer.proof(by: credentials.password, at: clock.date) != nil else {
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
@Sendable
func callingDeveloper(_ context: APIContext) throws -> Developer {
    guard let developer = context.developer else { throw JPushError.developerCredentialsMissing }
    return developer
}

extension Request {
    /// The credentials of a request, `Basic base64(user:password)`; nil for missing or unreadable ones.
    var credentials: (user: String, password: String)? { Authorization.basic(in: headers[.authorization]) }
}
