public import Foundation

/// A call of CallKit to the system. Providers are numbered within their process.
public enum CallKitCall: Hashable, Sendable, Codable {
    /// A provider has a delegate, or another configuration.
    case provide(Int, CallProviderRecord)
    case invalidate(Int)
    /// Answered with ``SystemReply/done`` or ``SystemReply/failed(_:)``.
    case reportIncoming(UUID, CallUpdateRecord, provider: Int)
    case update(UUID, CallUpdateRecord)
    /// `reason` is that of `CXCallEndedReason`.
    case ended(UUID, reason: Int)
    case startedConnecting(UUID)
    case connected(UUID)
    /// Answered with ``SystemReply/done`` or ``SystemReply/failed(_:)``.
    case request(CallTransactionRecord)
    /// The app has performed an action, or could not.
    case completed(UUID, isFulfilled: Bool)
    /// The process observes calls.
    case observe
    /// Answered with ``SystemReply/calls(_:)``.
    case list
}

/// An event for CallKit.
public enum CallKitEvent: Hashable, Sendable, Codable {
    case began(provider: Int)
    case reset(provider: Int)
    case perform(CallTransactionRecord, provider: Int)
    case timedOut(CallActionRecord, provider: Int)
    case audio(isActive: Bool, provider: Int)
    /// For observers.
    case changed(CallRecord)
}
