import Foundation
import HTTPTypes
import Hummingbird
import PushModel
import PushService
import Synchronization

/// Lets an app in by `Basic base64(appKey:masterSecret)`, and counts its calls.
///
/// Source: JPush REST API v3, "Overview", sections on authentication and rate limits. A malformed key is 1008, a key that
/// is not known or a wrong secret 1004.
struct AppAuthentication: RouterMiddleware {
    let registry: Registry
    let limiter: RateLimiter

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let app = try await authenticate(request)
        let rate = limiter.take(for: app.id)
        var response: Response
        if rate.isAllowed {
            var context = context
            context.app = app
            do { response = try await next(request, context) } catch let error as JPushError {
                response = Response(error)
            }
        } else {
            response = Response(JPushError.rateLimited)
        }
        response.headers[.rateLimit] = String(rate.limit)
        response.headers[.rateQuota] = String(rate.limit)
        response.headers[.rateRemaining] = String(rate.remaining)
        response.headers[.rateReset] = String(rate.reset)
        return response
    }

    private func authenticate(_ request: Request) async throws -> App {
        guard let header = request.headers[.authorization] else { throw JPushError.unauthorized }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic", let data = Data(base64Encoded: String(words[1])),
            let pair = String(validating: data, as: UTF8.self)
        else { throw JPushError.unauthorized }
        let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw JPushError.unauthorized }
        guard let key = AppKey(String(parts[0])) else {
            throw JPushError.illegalAppKey("The app key '\(parts[0])' is malformed; expected 24 letters or digits.")
        }
        guard let app = try await registry.app(key), app.secretHash.matches(String(parts[1])) else {
            throw JPushError.unauthorized
        }
        return app
    }
}

/// A window of calls for each app.
final class RateLimiter: Sendable {
    private let limit: Int
    private let now: @Sendable () -> Date
    private let windows = Mutex<[App.ID: RateWindow]>([:])

    init(limit: Int, now: @escaping @Sendable () -> Date) {
        self.limit = limit
        self.now = now
    }

    func take(for app: App.ID) -> RateWindow.State {
        windows.withLock { $0[app, default: RateWindow(limit: limit)].take(at: now()) }
    }
}
