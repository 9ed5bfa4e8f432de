import Foundation
import HTTPTypes
import Hummingbird
import PushModel
import PushService
import Synchronization

/// Limits the request rate of each caller, with a window per family.
final class RateLimiter: Sendable {
    enum Caller: Hashable {
        case app(App.ID)
        case group(AppGroup.ID)
        case developer(Developer.ID)
    }

    private struct Key: Hashable {
        var caller: Caller
        var family: APIFamily
    }

    private let limits: Adjustable<CallLimits>
    private let now: @Sendable () -> Date
    private let windows = Mutex<[Key: RateWindow]>([:])

    init(limits: Adjustable<CallLimits>, now: @escaping @Sendable () -> Date) {
        self.limits = limits
        self.now = now
    }

    /// Counts a request.
    func take(for caller: Caller, _ family: APIFamily) -> RateWindow.State {
        window(of: caller, family) { $0.take(at: now()) }
    }

    /// Counts a request; returns nil if the limit is exceeded.
    func takeIfAllowed(for caller: Caller, _ family: APIFamily) -> RateWindow.State? {
        let state = take(for: caller, family)
        return state.isAllowed ? state : nil
    }

    /// Returns the state without counting: an unauthenticated client must not use up the caller's limit.
    func peek(for caller: Caller, _ family: APIFamily) -> RateWindow.State {
        window(of: caller, family) { $0.peek(at: now()) }
    }

    private func window(
        of caller: Caller,
        _ family: APIFamily,
        _ body: (inout RateWindow) -> RateWindow.State
    ) -> RateWindow.State {
        let limit = limits.value[family]
        return windows.withLock { windows in
            let key = Key(caller: caller, family: family)
            // A changed limit begins a window.
            if windows[key]?.limit != limit { windows[key] = RateWindow(limit: limit) }
            return body(&windows[key, default: RateWindow(limit: limit)])
        }
    }
}

extension RateLimiter {
    /// Counts a request of an authenticated caller, and passes it on unless the limit is exceeded.
    func answer(
        _ request: Request,
        by caller: Caller,
        of family: APIFamily,
        context: APIContext,
        _ next: (Request, APIContext) async throws -> Response
    ) async -> Response {
        let rate = take(for: caller, family)
        var response = await APIErrors.catching(request, of: family, context: context) {
            rate.isAllowed ? try await next(request, context) : Response(JPushError.rateLimited)
        }
        response.add(rate)
        return response
    }
}

extension RateWindow.State {
    /// The response headers with the caller's remaining requests.
    var fields: [(HTTPField.Name, String)] {
        let limit = String(limit)
        return [
            (.rateLimit, limit), (.rateQuota, limit), (.rateRemaining, String(remaining)), (.rateReset, String(reset)),
        ]
    }
}

extension Response {
    mutating func add(_ rate: RateWindow.State) {
        for (name, value) in rate.fields { headers[name] = value }
    }
}
