import Foundation
import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// Lets an app in by `Basic base64(appKey:masterSecret)`, and counts its calls.
///
/// Source: JPush REST API v3, "Overview", sections on authentication and rate limits. Which error says what depends on the
/// family.
struct AppAuthentication: RouterMiddleware {
    let family: APIFamily
    let registry: Registry
    let limiter: RateLimiter

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            let (key, secret) = try credentials(request)
            let app = try await app(key)
            guard app.secretHash.matches(secret) else {
                var response = Response(family.secretWrong)
                response.tell(limiter.look(for: app.id, family))
                return response
            }
            return await answer(request, of: app, context: context, next)
        } catch {
            return APIErrors.answer(
                error,
                to: request,
                internalError: family.internalError,
                logger: context.logger
            )
        }
    }

    private func answer(
        _ request: Request,
        of app: App,
        context: APIContext,
        _ next: (Request, APIContext) async throws -> Response
    ) async -> Response {
        let rate = limiter.take(for: app.id, family)
        var context = context
        context.app = app
        var response: Response
        do {
            response = rate.isAllowed ? try await next(request, context) : Response(JPushError.rateLimited)
        } catch {
            response = APIErrors.answer(
                error,
                to: request,
                internalError: family.internalError,
                logger: context.logger
            )
        }
        response.tell(rate)
        return response
    }

    private func credentials(_ request: Request) throws(JPushError) -> (key: String, secret: String) {
        guard let header = request.headers[.authorization] else { throw family.credentialsMissing }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic", let data = Data(base64Encoded: String(words[1])),
            let pair = String(validating: data, as: UTF8.self)
        else { throw family.credentialsMissing }
        let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw family.credentialsMissing }
        return (String(parts[0]), String(parts[1]))
    }

    private func app(_ text: String) async throws -> App {
        guard let key = AppKey(text) else { throw family.appKeyMalformed(text) }
        guard let app = try await registry.app(key) else { throw family.appKeyUnknown(text) }
        return app
    }
}

/// The app that a request was let in for.
func caller(_ context: APIContext) throws -> App {
    guard let app = context.app else { throw JPushError.unauthorized }
    return app
}
