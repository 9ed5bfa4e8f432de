package import Foundation
package import PushModel

/// The events that wait for callback addresses. They are written together with the outcome or report that they are about.
package protocol CallbackStore: Sendable {
    /// Raised when events were written.
    var callbackSignal: LocalWorkSignal { get }
    /// Takes due events of up to `pushes` pushes, each up to `events` of them or one row, and defers them to `deferral`, so that
    /// no other node takes them meanwhile and a crash repeats them.
    func takeCallbacks(at now: Date, pushes: Int, events: Int, deferral: Date) async throws -> [CallbackBatch]
    /// Returns when the next events are due.
    func nextCallbackDue() async throws -> Date?
    /// Removes events that their address has taken.
    func finishCallbacks(_ batch: CallbackBatch) async throws
    /// Records a failed delivery. All events of the push wait until `retry`; without it, those of the batch are given up.
    func failCallbacks(_ batch: CallbackBatch, _ problem: String, retry: Date?) async throws
    /// Returns the state of a push's callback, with that of its VoIP push; nil if it has none.
    func callbackState(of message: MessageID) async throws -> CallbackState?
    /// Returns about how many rows of events wait, for operators.
    func waitingCallbacks() async throws -> Int
}
