public import Foundation
public import PushModel

/// How the sending of one push ended.
public enum APNSOutcome: Hashable, Sendable {
    /// APNs answered 200: accepted, not yet delivered.
    case accepted
    /// APNs answered with a reason, and repeating would not help.
    ///
    /// With 410, `timestamp` is when APNs last knew the token to be dead: one that was registered again later is alive.
    case refused(status: Int, APNSReason, timestamp: Date?)
    /// No final answer within the attempts and the time allowed. The text says what was tried, for a person.
    case failed(String)
}
