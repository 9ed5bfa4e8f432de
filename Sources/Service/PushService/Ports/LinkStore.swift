package import Foundation
package import PushModel

/// What is kept for the SDK link beside the devices themselves.
package protocol LinkStore: Sendable {
    /// Keeps a token in the place of the one before of its channel and name. Of Live Activities those noted last stay, `limit`
    /// a channel.
    func setChannelToken(_ token: ChannelToken, of device: DeviceID, limit: Int, at date: Date) async throws
    func removeChannelToken(_ channel: ChannelToken.Channel, name: String, of device: DeviceID) async throws
    /// In the order of channel and name.
    func channelTokens(of device: DeviceID) async throws -> [ChannelToken]

    /// The position of the custom message that was accepted last, or after which those to come lie; 0 before the first.
    func lastCustomMessage() async throws -> Int64
    /// Custom messages that are accepted from now on lie behind `position`. Does nothing if they do already.
    ///
    /// - Throws: ``StoreError`` if the disk does not take it now; then it is written before anything else is.
    func leaveOutPositions(through position: Int64) async throws
    /// The next custom messages of all apps, in their order; with their audiences where the app is one of `apps`.
    func customMessages(
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> [CustomMessageRecord]
    /// What a device finds when it logs in: the newest messages that it has not had and whose time is not over.
    ///
    /// * `settled`: up to where it has had its messages, if that is further than the store knows.
    /// * `kept`: the position of the last message that the device says to have.
    func waitingMessages(
        of device: DeviceID,
        settledThrough settled: Int64,
        keptThrough kept: Int64?,
        limit: Int,
        at now: Date
    ) async throws -> WaitingMessages
    /// The oldest messages for a device behind a position, of which the time is not over.
    func heldMessages(of device: DeviceID, after position: Int64, limit: Int, at now: Date) async throws -> HeldMessages
    /// One transaction. A cursor never goes back, and a device that is gone has none.
    func keep(_ said: Acknowledgements, at date: Date) async throws
    /// One transaction: what a device says of pushes that were to go to it; others are passed over.
    ///
    /// * `inApp`: of them as in-app messages; of a push that is none of these it counts as the rest does.
    func keep(
        _ receipts: [MessageID: ReportBits],
        inApp: [MessageID: ReportBits],
        of device: DeviceID,
        at date: Date
    ) async throws
    /// Takes so many messages out of the log whose time was over before `date`.
    ///
    /// - Returns: whether there may be more to do.
    func deleteCustomMessages(expiredBefore date: Date, limit: Int) async throws -> Bool
}
