import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NetworkSupport
import PushModel
import PushService
import Synchronization

/// Counts and logs failed logins by address, and rejects further attempts after too many.
///
/// Valid credentials are always accepted, however many logins from the same address fail: many clients share the address of a
/// proxy or a carrier.
final class FailedLogins: Sendable {
    private struct Window {
        var start: Date
        var failures = 0
    }

    private enum Finding {
        /// A failure within the limit.
        case plain
        /// The first failure beyond the limit.
        case tooMany
        case more
    }

    /// The address that failures are counted for, alone or with a device.
    private struct Key: Hashable {
        var address: String?
        /// The one of many secrets that is guessed at; nil for the few of operators and backends, which count together.
        var subject: String?
    }

    private struct State {
        var windows: [Key: Window] = [:]
        var tidyAbove = 1000
    }

    /// The period over which failures are counted.
    private static let window: TimeInterval = 60
    /// The maximum number of addresses and devices. Those whose windows are over make room; if there are none, failures from new ones get 429.
    private static let addresses = 100_000

    private let limit: Adjustable<Int>
    private let proxies: ProxyRule
    private let metrics: APIMetrics
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// Allows a number of failures per minute to an address, which trusted proxies may report.
    init(
        limit: Adjustable<Int>,
        proxies: ProxyRule,
        metrics: APIMetrics,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        self.limit = limit
        self.proxies = proxies
        self.metrics = metrics
        self.logger = logger
        self.now = now
    }

    /// Counts a failed login, and returns `answer`, or 429 beyond the limit. The log has a description of the caller, as
    /// the user name itself may be a secret sent in the wrong field. `subject` names the device whose secret is guessed at: failures are
    /// counted for each address and device then. It must exist, or there would be as many as the caller makes up.
    func answer(
        _ answer: Response,
        to request: Request,
        _ context: APIContext,
        as caller: String,
        guessing subject: String? = nil
    ) -> Response {
        let address = proxies.network(of: context.peer, forwarded: request.headers[values: .xForwardedFor])
        let (finding, seconds) = count(Key(address: address, subject: subject))
        metrics.loginRefused()
        let metadata: Logger.Metadata = ["address": "\(address ?? "unknown")", "caller": "\(caller)"]
        switch finding {
        case .plain:
            logger.warning("A login failed", metadata: metadata)
            return answer
        case .tooMany:
            logger.warning("Too many failed logins: further ones get 429 for \(seconds) s", metadata: metadata)
        case .more: break
        }
        var refusal = Response(JPushError.tooManyFailedLogins(limit.value))
        refusal.headers[.retryAfter] = "\(seconds)"
        return refusal
    }

    /// Notes a failed login that is no guess, as its name does not exist; it is counted for the metrics alone.
    func note(_ request: Request, _ context: APIContext, as caller: String) {
        metrics.loginRefused()
        guard logger.logLevel <= .debug else { return }
        let address = proxies.network(of: context.peer, forwarded: request.headers[values: .xForwardedFor])
        logger.debug("A login failed", metadata: ["address": "\(address ?? "unknown")", "caller": "\(caller)"])
    }

    /// Counts a failure, and returns the seconds until its window expires.
    private func count(_ key: Key) -> (Finding, seconds: Int) {
        let now = now()
        let limit = limit.value
        return state.withLock { state in
            func isOver(_ window: Window) -> Bool { window.start.isOver(after: Self.window, at: now) }
            if state.windows.count > state.tidyAbove {
                state.windows = state.windows.filter { !isOver($0.value) }
                state.tidyAbove = max(1000, state.windows.count * 2)
            }
            guard state.windows[key] != nil || state.windows.count < Self.addresses else {
                return (.more, Int(Self.window))
            }
            var window = state.windows[key] ?? Window(start: now)
            if isOver(window) { window = Window(start: now) }
            window.failures += 1
            state.windows[key] = window
            let rest = max(1, Int((Self.window - now.timeIntervalSince(window.start)).rounded(.up)))
            if window.failures <= limit { return (.plain, rest) }
            return (window.failures == limit + 1 ? .tooMany : .more, rest)
        }
    }
}
