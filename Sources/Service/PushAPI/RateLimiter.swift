import Foundation
import Hummingbird
import PushService
import Synchronization

/// A window of calls for each app and family.
final class RateLimiter: Sendable {
    private struct Key: Hashable {
        var app: App.ID
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
    func take(for app: App.ID, _ family: APIFamily) -> RateWindow.State { window(app, family) { $0.take(at: now()) } }

    /// Counts none: who does not prove to be the app must not use up what it has.
    func look(for app: App.ID, _ family: APIFamily) -> RateWindow.State { window(app, family) { $0.look(at: now()) } }

    private func window(
        _ app: App.ID,
        _ family: APIFamily,
        _ body: (inout RateWindow) -> RateWindow.State
    ) -> RateWindow.State {
        windows.withLock { body(&$0[Key(app: app, family: family), default: RateWindow(limit: limits[family])]) }
    }
}

extension Response {
    /// Tells the caller how many calls it has left.
    mutating func tell(_ rate: RateWindow.State) {
        headers[.rateLimit] = String(rate.limit)
        headers[.rateQuota] = String(rate.limit)
        headers[.rateRemaining] = String(rate.remaining)
        headers[.rateReset] = String(rate.reset)
    }
}
