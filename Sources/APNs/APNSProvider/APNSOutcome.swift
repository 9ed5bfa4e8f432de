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
