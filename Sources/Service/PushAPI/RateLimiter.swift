import Foundation
import HTTPTypes
import Hummingbird
import PushModel
import PushService
import Synchronization

/// A window of calls for each caller and family.
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

    private let limits: CallLimits
    private let now: @Sendable () -> Date
    private let windows = Mutex<[Key: RateWindow]>([:])

    init(limits: CallLimits, now: @escaping @Sendable () -> Date) {
        self.limits = limits
        self.now = now
    }

    /// Counts a call.
    func take(for caller: Caller, _ family: APIFamily) -> RateWindow.State {
        window(caller, family) { $0.take(at: now()) }
    }

    /// Counts a call if there is any left; nil otherwise.
    func takeIfAllowed(for caller: Caller, _ family: APIFamily) -> RateWindow.State? {
        let state = take(for: caller, family)
        return state.isAllowed ? state : nil
    }

    /// Counts none: who does not prove to be the caller must not use up what it has.
    func look(for caller: Caller, _ family: APIFamily) -> RateWindow.State {
        window(caller, family) { $0.look(at: now()) }
    }

    private func window(
        _ caller: Caller,
        _ family: APIFamily,
        _ body: (inout RateWindow) -> RateWindow.State
    ) -> RateWindow.State {
        windows.withLock { body(&$0[Key(caller: caller, family: family), default: RateWindow(limit: limits[family])]) }
    }
}

extension RateLimiter {
    /// Counts a call of a caller that has proved itself, and has it answered if it has any left.
    func answer(
        _ request: Request,
        by caller: Caller,
        _ family: APIFamily,
        context: APIContext,
        _ next: (Request, APIContext) async throws -> Response
    ) async -> Response {
        let rate = take(for: caller, family)
        var response = await APIErrors.catching(request, of: family, context) {
            rate.isAllowed ? try await next(request, context) : Response(JPushError.rateLimited)
        }
        response.tell(rate)
        return response
    }
}

extension RateWindow.State {
    /// What the caller is told of how many calls it has left.
    var fields: [(HTTPField.Name, String)] {
        let limit = String(limit)
        return [
            (.rateLimit, limit), (.rateQuota, limit), (.rateRemaining, String(remaining)), (.rateReset, String(reset)),
        ]
    }
}

extension Response {
    mutating func tell(_ rate: RateWindow.State) {
        for (name, value) in rate.fields { headers[name] = value }
    }
}
