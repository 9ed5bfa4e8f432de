package import Foundation
package import PushModel

/// The events that wait for callback addresses. They are written together with the outcome or report that they are about, and counted
/// afterwards, in steps of their own: neither an accepted push nor a checkpoint waits for a count or a receiver.
package protocol CallbackStore: Sendable {
    /// Raised when events were written.
    var callbackSignal: LocalWorkSignal { get }
    /// Counts new events, up to a number of rows, in the order in which they were written, and makes their receivers due.
    /// Events beyond `limit`, the number of an app's rows that may wait, are lost.
    func countCallbacks(at now: Date, limit: Int, rows: Int) async throws -> CallbackCount
    /// Takes due receivers, of each app the one that has waited longest first, until `lease`: no other node takes them before, and a
    /// crash repeats their events then.
    func takeCallbacks(at now: Date, _ limits: CallbackLimits, until lease: Date) async throws -> [CallbackLot]
    /// Returns when the next receiver is due, of apps other than these.
    func nextCallbackDue(besides apps: Set<App.ID>) async throws -> Date?
    /// Records what became of a lot, and makes its receiver due again if more events wait. After `limit` failures events
    /// are given up; returns the number of devices' events for which that happened.
    func endCallbacks(_ lot: CallbackLot, _ outcome: CallbackOutcome, at now: Date, limit: Int) async throws -> Int
    /// Gives up events of a receiver, up to a number of rows, for which `limit` deliveries have failed since they were
    /// counted. A receiver for which nothing waits any more starts anew.
    ///
    /// - Returns: the number of devices' events that were given up; nil if there are no more rows.
    func giveUpCallbacks(of receiver: Int64, limit: Int, rows: Int) async throws -> Int?
    /// Returns the state of a push's callback, with that of its VoIP push; nil if it has none.
    func callbackState(of message: MessageID) async throws -> CallbackState?
    /// Returns the number of rows of events that wait, by app.
    func waitingCallbacks() async throws -> [App.ID: Int]
}
