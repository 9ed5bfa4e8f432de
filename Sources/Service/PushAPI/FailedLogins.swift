import DeviceLinkNIO
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PushModel
import Synchronization

/// Counts logins that failed, by the address they came from, tells the log of them, and puts off whoever tries on.
///
/// Who logs in with what is right is let in, however many others fail from the same address: that of a proxy or a carrier is
/// everybody's.
final class FailedLogins: Sendable {
    private struct Window {
        var start: Date
        var failures = 0
    }

    private enum Finding {
        /// One of those that may happen.
        case plain
        /// The first that is put off.
        case tooMany
        case more
    }

    /// For which failures count.
    private static let window: TimeInterval = 60
    /// Addresses that are remembered. One more takes the place of those whose window is over, or of all: an attacker with that
    /// many addresses gains a few more tries, and no memory.
    private static let addresses = 10_000

    private let limit: Int
    private let proxies: ProxyRule
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let windows = Mutex<[String?: Window]>([:])

    /// Of the parameters:
    /// * `limit`: failures of an address in a minute that are answered as what they are.
    /// * `proxies`: whose word is taken for the address that a request comes from.
    init(limit: Int, proxies: ProxyRule, logger: Logger, now: @escaping @Sendable () -> Date) {
        self.limit = limit
        self.proxies = proxies
        self.logger = logger
        self.now = now
    }

    /// Counts a login that failed.
    ///
    /// Of the parameters:
    /// * `caller`: whom the log may name: what was sent as a name may be a secret that was sent in the wrong place.
    /// * `answer`: what it is answered with.
    /// - Returns: `answer`, or 429 after too many.
    func answer(_ answer: Response, to request: Request, _ context: APIContext, as caller: String) -> Response {
        let address = proxies.network(of: context.peer, forwarded: request.headers[values: .xForwardedFor])
        let (finding, seconds) = count(address)
        let metadata: Logger.Metadata = ["address": "\(address ?? "unknown")", "caller": "\(caller)"]
        switch finding {
        case .plain:
            logger.warning("A login failed", metadata: metadata)
            return answer
        case .tooMany:
            logger.warning("Logins of an address are put off for \(seconds) s: too many failed", metadata: metadata)
        case .more: break
        }
        var refusal = Response(JPushError.tooManyFailedLogins(limit))
        refusal.headers[.retryAfter] = "\(seconds)"
        return refusal
    }

    /// Counts a failure; and says after how many seconds the window of the address is over.
    private func count(_ address: String?) -> (Finding, seconds: Int) {
        let now = now()
        return windows.withLock { windows in
            func isOver(_ window: Window) -> Bool {
                let age = now.timeIntervalSince(window.start)
                return age >= Self.window || age < 0
            }
            if windows.count >= Self.addresses, windows[address] == nil {
                windows = windows.filter { !isOver($0.value) }
                if windows.count >= Self.addresses { windows = [:] }
            }
            var window = windows[address] ?? Window(start: now)
            if isOver(window) { window = Window(start: now) }
            window.failures += 1
            windows[address] = window
            let rest = max(1, Int((Self.window - now.timeIntervalSince(window.start)).rounded(.up)))
            if window.failures <= limit { return (.plain, rest) }
            return (window.failures == limit + 1 ? .tooMany : .more, rest)
        }
    }
}
