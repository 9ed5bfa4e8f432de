import HTTPTypes
import Hummingbird
import Logging
import NetworkSupport
import PushClock
import PushModel
import PushService

/// Counts and logs failed logins by address, and rejects further attempts after too many.
///
/// Valid credentials are always accepted, however many logins from the same address fail: many clients share the address of a
/// proxy or a carrier.
struct FailedLogins: Sendable {
    /// The address that failures are counted for, alone or with a device.
    private struct Key: Hashable {
        var address: String?
        /// The one of many secrets that is guessed at; nil for the few of operators and backends, which count together.
        var subject: String?
    }

    /// The number of failures per minute that an address, which trusted proxies may report, is allowed.
    let limit: Adjustable<Int>
    let proxies: ProxyRule
    let metrics: APIMetrics
    let logger: Logger
    let clock: any CivilClock
    private let rates = MinuteRates<Key>()

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
        let address = proxies.network(of: request, context)
        let (answered, seconds) = rates.take(
            Key(address: address, subject: subject),
            limit: limit.value,
            at: clock.date
        )
        metrics.loginRefused()
        let metadata: Logger.Metadata = ["address": "\(address ?? "unknown")", "caller": "\(caller)"]
        switch answered {
        case .taken:
            logger.warning("A login failed", metadata: metadata)
            return answer
        case .firstTooMany:
            logger.warning("Too many failed logins: further ones get 429 for \(seconds) s", metadata: metadata)
        case .tooMany: break
        }
        var refusal = Response(JPushError.tooManyFailedLogins(limit.value))
        refusal.headers[.retryAfter] = "\(seconds)"
        return refusal
    }

    /// Notes a failed login that is no guess, as its name does not exist; it is counted for the metrics alone.
    func note(_ request: Request, _ context: APIContext, as caller: String) {
        metrics.loginRefused()
        guard logger.logLevel <= .debug else { return }
        let address = proxies.network(of: request, context)
        logger.debug("A login failed", metadata: ["address": "\(address ?? "unknown")", "caller": "\(caller)"])
    }
}
