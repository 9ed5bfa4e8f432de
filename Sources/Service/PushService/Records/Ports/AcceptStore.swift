package import Foundation
package import PushModel

/// Acceptance of pushes.
package protocol AcceptStore: PlanStore {
    /// Reserves `count` message ids and returns the first. None of them is ever given out again or precedes `floor`.
    func reserveMessageIDs(_ count: Int64, notBefore floor: MessageID) async throws -> MessageID
    /// Returns the answers to pushes with these cids since `date`, in the order of the cids.
    func results(ofCIDs cids: [String], app: App.ID, since date: Date) async throws -> [PushResult?]
    /// Returns whether the app has sent this message since `date`.
    func knowsMessage(_ id: MessageID, app: App.ID, since date: Date) async throws -> Bool
    /// Returns the number of the app's messages that still have paced chunks to send.
    func pacedMessages(of app: App.ID) async throws -> Int
    /// Returns the app's devices with a token of this channel, in ascending order, by the environment of the token.
    func channelDevices(_ key: ChannelKey, of app: App.ID) async throws -> [APNSEnvironment: [DeviceOrdinal]]
    /// Stores messages, their chunks and cids in one transaction. `reply` receives the result of each when they are on disk, in
    /// the order of the commits. It is called by the writing thread and must not block.
    func accept(
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<[StoredPush], any Error>) -> Void
    )
    /// Ends the rest of a message that the app has sent since `date`, and of the VoIP push beside it, in one transaction; workers find
    /// out at their next checkpoint.
    ///
    /// The same transaction stores what `pushes` makes of the withdrawn push, of which one may be its take-back.
    ///
    /// - Returns: nil if there is no such message.
    func withdraw(
        _ id: MessageID,
        of app: App.ID,
        since date: Date,
        at now: Date,
        cidsSince: Date,
        storing pushes: @escaping @Sendable (WithdrawnPush) throws -> [PreparedPush]
    ) async throws -> Withdrawal?
    /// Stores the take-backs that `orders` makes for those of the devices that got a push, have not opened it, and were not asked before.
    func takeBack(
        _ message: MessageID,
        from devices: [DeviceOrdinal],
        of app: App.ID,
        at now: Date,
        cidsSince: Date,
        storing orders: @escaping @Sendable ([DeviceOrdinal]) throws -> [PreparedPush]
    ) async throws -> [PreparedPush]
    /// Returns the push that has replaced another one by `x_undo`.
    func replacement(of message: MessageID) async throws -> MessageID?
    /// Returns the message of a push's VoIP push: the push itself if it has nothing else for APNs; nil if it has none.
    func voipPush(of message: MessageID) async throws -> MessageID?
    /// Returns the group's push that has used this cid since `date`.
    func groupPush(ofCID cid: String, of group: AppGroup.ID, since date: Date) async throws -> GroupPush?
    /// Stores a push to a group and the pushes of its apps, in one transaction.
    ///
    /// - Returns: an earlier push of the group with the same cid since `cidsSince`, in which case nothing was stored.
    func accept(_ groupPush: GroupPush, _ pushes: [PreparedPush], cidsSince: Date) async throws -> GroupPush?
    /// Counts one more broadcast on this day in one transaction, unless the app already has `limit`.
    ///
    /// - Returns: whether it was counted.
    func countBroadcast(of app: App.ID, day: Int, limit: Int) async throws -> Bool
    /// Subtracts a broadcast that was not stored from this day's count, in one transaction.
    func returnBroadcast(of app: App.ID, day: Int) async throws
}

extension AcceptStore {
    /// Returns the answer to a push with this cid since `date`.
    package func result(ofCID cid: String, app: App.ID, since date: Date) async throws -> PushResult? {
        try await results(ofCIDs: [cid], app: app, since: date).first ?? nil
    }
}
