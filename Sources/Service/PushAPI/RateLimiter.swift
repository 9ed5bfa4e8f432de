package import Foundation
import HTTPTypes
import Hummingbird
import PushClock
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
    private let clock: any CivilClock
    private let windows = Mutex<[Key: RateWindow]>([:])
    /// The windows of all nodes together; nil for a service that is alone.
    private let shared: SharedRates?

    init(limits: Adjustable<CallLimits>, shared: SharedRates?, clock: any CivilClock) {
        self.limits = limits
        self.shared = shared
        self.clock = clock
    }

    /// Counts a request. If the store of the nodes does not answer, this node counts for itself.
    func take(for caller: Caller, _ family: APIFamily) async -> RateWindow.State {
        if let shared {
            let limit = limits.value[family]
            if let state = await shared.take(Self.name(caller, family), limit: limit) {
                return RateWindow.State(state, limit: limit)
            }
        }
        return window(of: caller, family) { $0.take(at: clock.date) }
    }

    /// Counts a request; returns nil if the limit is exceeded, or if other nodes have to be asked.
    func takeIfAllowed(for caller: Caller, _ family: APIFamily) -> RateWindow.State? {
        if let shared {
            let limit = limits.value[family]
            return shared.takeAtOnce(Self.name(caller, family), limit: limit).map { RateWindow.State($0, limit: limit) }
        }
        let state = window(of: caller, family) { $0.take(at: clock.date) }
        return state.isAllowed ? state : nil
    }

    /// The name of a window in the store.
    private static func name(_ caller: Caller, _ family: APIFamily) -> String {
        switch caller {
        case .app(let id): "app \(id) \(family)"
        case .group(let id): "group \(id) \(family)"
        case .developer(let id): "developer \(id) \(family)"
        }
    }

    /// Returns the state without counting: an unauthenticated client must not use up the caller's limit.
    func peek(for caller: Caller, _ family: APIFamily) -> RateWindow.State {
        window(of: caller, family) { $0.peek(at: clock.date) }
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
        _ next: APINext
    ) async -> Response {
        let rate = await take(for: caller, family)
        var response = await APIErrors.catching(request, of: family, context: context) {
            rate.isAllowed ? try await next(request, context) : Response(JPushError.rateLimited)
        }
        response.add(rate)
        return response
    }
}

extension RateWindow.State {
    /// The state of a window that all nodes share.
    fileprivate init(_ state: SharedRates.State, limit: Int) {
        let reset = (state.ends / .seconds(1)).rounded(.up)
        self.init(isAllowed: state.isAllowed, limit: limit, remaining: state.left, reset: Int(reset))
    }

    /// The response headers with the caller's remaining requests, of which ``values`` has the values.
    static let names: [HTTPField.Name] = [.rateLimit, .rateQuota, .rateRemaining, .rateReset]

    var values: [Int] { [limit, limit, remaining, reset] }
}

extension Response {
    mutating func add(_ rate: RateWindow.State) {
        for (name, value) in zip(RateWindow.State.names, rate.values) { headers[name] = String(value) }
    }
}

/// Counts an app's calls in windows of 60 seconds; a window begins with a call.
///
/// Source: JPush REST API v3, "Overview", section on rate limits.
package struct RateWindow: Sendable {
    package static let seconds: TimeInterval = 60

    /// The number of calls allowed in a window.
    package let limit: Int
    private var start = Date.distantPast
    private var used = 0

    package init(limit: Int) { self.limit = limit }

    /// The values of the rate headers of a response.
    package struct State: Hashable, Sendable {
        package var isAllowed: Bool
        package var limit: Int
        package var remaining: Int
        /// Whole seconds until the next window may start.
        package var reset: Int
    }

    package mutating func take(at now: Date) -> State {
        begin(at: now)
        let isAllowed = used < limit
        if isAllowed { used += 1 }
        return state(isAllowed: isAllowed, at: now)
    }

    /// Returns the state that the next call would find, without counting a call.
    package mutating func peek(at now: Date) -> State {
        begin(at: now)
        return state(isAllowed: used < limit, at: now)
    }

    private mutating func begin(at now: Date) {
        guard start.isOver(after: Self.seconds, at: now) else { return }
        start = now
        used = 0
    }

    private func state(isAllowed: Bool, at now: Date) -> State {
        let reset = start.addingTimeInterval(Self.seconds).timeIntervalSince(now)
        return State(isAllowed: isAllowed, limit: limit, remaining: limit - used, reset: Int(reset.rounded(.up)))
    }
}

/// The number of requests that a caller may make in a window of 60 seconds, by family.
///
/// Each family has its own window.
package struct CallLimits: Hashable, Sendable {
    package var push: Int
    /// Devices, tags and aliases.
    package var device: Int
    package var report: Int
    package var schedule: Int
    /// Files and images.
    package var file: Int
    /// Developers and their apps.
    package var admin: Int
    /// Posthorn's own endpoints, such as the journey of a push.
    package var own: Int

    /// The limits of JPush for a free app.
    ///
    /// Undocumented limits are our choice: that of developers equals that of schedules, and that of Posthorn's own
    /// endpoints equals that of reports.
    ///
    /// Source: JPush REST API v3, "Overview", section on rate limits, and "Schedule API".
    package static let jpush = CallLimits(
        push: 600,
        device: 600,
        report: 2400,
        schedule: 100,
        file: 20,
        admin: 100,
        own: 2400
    )

    package static func all(_ limit: Int) -> CallLimits {
        CallLimits(push: limit, device: limit, report: limit, schedule: limit, file: limit, admin: limit, own: limit)
    }

    subscript(family: APIFamily) -> Int {
        switch family {
        case .push: push
        case .device: device
        case .report: report
        case .schedule: schedule
        case .file: file
        case .admin: admin
        case .own: own
        }
    }
}
