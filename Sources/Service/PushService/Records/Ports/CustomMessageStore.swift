package import Foundation

/// The log of custom messages, which the SDK link delivers.
package protocol CustomMessageStore: Sendable {
    /// The position of the last accepted custom message, or the one after which new messages begin; 0 before the first.
    func lastCustomMessage() async throws -> Int64
    /// Makes positions of new custom messages begin after `position`. Does nothing if they do already.
    ///
    /// - Throws: ``StoreError`` if the disk accepts no writes now; then it is written before anything else is.
    func leaveOutPositions(through position: Int64) async throws
    /// Returns the next custom messages of all apps, in order, with the audiences of those whose app is in `apps`.
    func customMessages(
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> [CustomMessageRecord]
    /// Returns the messages that a device receives at login: the newest unexpired messages that it has not had. It has had
    /// those up to `acknowledged`, or further if the store knows so, and reports to have those up to `kept`.
    func waitingMessages(
        of device: DeviceID,
        acknowledgedThrough acknowledged: Int64,
        keptThrough kept: Int64?,
        limit: Int,
        at now: Date
    ) async throws -> WaitingMessages
    /// Returns the oldest unexpired messages for a device after a position.
    func heldMessages(of device: DeviceID, after position: Int64, limit: Int, at now: Date) async throws -> HeldMessages
    /// Stores acknowledgements in one transaction. A cursor never moves back, and a deleted device has none.
    func record(_ acknowledgements: Acknowledgements, at date: Date) async throws
}
