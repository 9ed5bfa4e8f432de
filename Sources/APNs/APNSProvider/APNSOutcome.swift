public import Foundation
public import PushModel

/// The outcome of sending one push.
public enum APNSOutcome: Hashable, Sendable {
    /// APNs answered 200: accepted, not yet delivered.
    case accepted
    /// APNs answered with a reason, and a retry would not help.
    ///
    /// With 410, `timestamp` is when APNs last knew the token to be dead: a token that was registered again later is alive.
    case refused(status: Int, APNSReason, timestamp: Date?)
    /// No final answer within the attempts and the time allowed. The text describes the attempts for a person.
    case failed(String)
}

/// An answer that is not 200.
struct APNSRefusal: Hashable, Sendable {
    var status: Int
    var reason: APNSReason
    var timestamp: Date?
    /// The value of `retry-after`, which Apple does not document and other gateways send.
    var retryAfter: Duration?

    init(status: Int, body: [UInt8], retryAfter: Duration? = nil) {
        self.status = status
        self.retryAfter = retryAfter
        let object = (try? JSONValue(parsing: body))?.object
        reason = Self.reason(object?["reason"]?.string ?? "HTTP \(status)")
        timestamp = object?["timestamp"]?.double.map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    /// Returns the reason for its text. Apple's pages and its service differ in some spellings.
    static func reason(_ text: String) -> APNSReason {
        switch text {
        case "BadEnvironmentKeyIdInToken": .badEnvironmentKeyInToken
        case "Service Unavailable": .serviceUnavailable
        default: APNSReason(rawValue: text)
        }
    }

    var advice: APNSAdvice { reason.advice(status: status) }

    var outcome: APNSOutcome { .refused(status: status, reason, timestamp: timestamp) }
}
