public import Foundation

/// A call of CallKit to the system. Providers are numbered within their process.
public enum CallKitCall: Hashable, Sendable, Codable {
    /// A provider has a delegate, or another configuration.
    case provide(Int, CallProviderRecord)
    /// Ends a provider, by its number, with all of its calls.
    case invalidate(Int)
    /// Answered with ``SystemReply/done`` or ``SystemReply/failed(_:)``.
    case reportIncoming(UUID, CallUpdateRecord, provider: Int)
    /// Changes how a call appears.
    case update(UUID, CallUpdateRecord)
    /// `reason` is that of `CXCallEndedReason`.
    case ended(UUID, reason: Int)
    /// An outgoing call is being connected.
    case startedConnecting(UUID)
    /// An outgoing call is connected.
    case connected(UUID)
    /// Answered with ``SystemReply/done`` or ``SystemReply/failed(_:)``.
    case request(CallTransactionRecord)
    /// The app has performed an action, or could not.
    case completed(UUID, isFulfilled: Bool)
    /// The process observes calls.
    case observe
    /// The process uses audio, or does not any more.
    case useAudio(Bool)
    /// Answered with ``SystemReply/calls(_:)``.
    case list
}

/// An event for CallKit.
public enum CallKitEvent: Hashable, Sendable, Codable {
    /// The provider is ready.
    case began(provider: Int)
    /// All calls of the provider have ended; its app forgets them.
    case reset(provider: Int)
    /// Actions for the app to carry out, from the user or from the app itself.
    case perform(CallTransactionRecord, provider: Int)
    /// The app did not carry out an action in time.
    case timedOut(CallActionRecord, provider: Int)
    /// The app may use the microphone and the speaker, or may not any more.
    case audio(isActive: Bool, provider: Int)
    /// For observers.
    case changed(CallRecord)
    /// The call of another app takes the audio that the app uses, or gives it back.
    case interrupted(Bool)
}
