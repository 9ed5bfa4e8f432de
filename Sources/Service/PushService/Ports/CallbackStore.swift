package import Foundation
package import PushModel

/// The events that wait for callback addresses. They are written together with the outcome or report that they are about.
package protocol CallbackStore: Sendable {
    /// Raised when events were written.
    var callbackSignal: LocalWorkSignal { get }
    /// Takes due events, the receiver that has waited longest first, and defers them to `deferral`, so that no other node takes them
    /// meanwhile and a crash repeats them.
    func takeCallbacks(at now: Date, _ limits: CallbackLimits, deferral: Date) async throws -> [CallbackBatch]
    /// Returns when the next events are due, at receivers other than those of `numbers`.
    func nextCallbackDue(besides numbers: Set<Int64>) async throws -> Date?
    /// Removes events that their address has taken; the receiver is no longer paused.
    func finishCallbacks(_ batch: CallbackBatch) async throws
    /// Gives up events that their address must not be told.
    func dropCallbacks(_ batch: CallbackBatch, _ problem: String) async throws
    /// Records a failed delivery and pauses the receiver until `retry`. It counts as an attempt for all of the receiver's events that
    /// are due; those with `limit` attempts are given up. A receiver for which nothing waits any more starts anew.
    ///
    /// - Returns: the number of devices' events that were given up.
    func failCallbacks(
        _ batch: CallbackBatch,
        _ problem: String,
        at now: Date,
        retry: Date,
        limit: Int
    ) async throws -> Int
    /// Returns the state of a push's callback, with that of its VoIP push; nil if it has none.
    func callbackState(of message: MessageID) async throws -> CallbackState?
    /// Returns about how many rows of events wait, for operators.
    func waitingCallbacks() async throws -> Int
}
