package import Foundation
package import PushModel

/// Leases of chunks and the progress that their owners report.
package protocol DispatchStore: Sendable {
    /// Releases all leases of `owner`, as after a crash.
    func releaseLeases(of owner: LeaseOwner) async throws
    /// Releases expired leases of other owners.
    func reclaimLeases(besides owner: LeaseOwner, at now: Date) async throws
    /// Extends all leases of an owner.
    func renewLeases(_ claim: LeaseClaim) async throws
    /// Leases due chunks of a lane, in order, for up to `devices` devices, or one chunk. None of them shares a device with another,
    /// or with `underWay`. After a pause it leases a single chunk.
    ///
    /// Where another owner has a lease in the lane, a store for several nodes leases chunks only if more than a step is waiting, or the
    /// owner has leases there already. Then the devices of the leases of others count as `underWay`, and a push that is spread
    /// over time is not divided among owners.
    ///
    /// - Returns: nil if nothing is due, the lane is paused, or left to another owner. Each lease has a greater fencing number than the
    ///   previous ones of its chunk.
    func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList]
    ) async throws -> Lease?
    /// Returns the lanes with waiting chunks that `owner` may lease.
    func waiting(for owner: LeaseOwner, at now: Date) async throws -> [WaitingLane]
    /// Returns the tokens of this channel and environment that the devices have.
    func channelTokens(
        _ key: ChannelKey,
        of ordinals: [DeviceOrdinal],
        app: App.ID,
        _ environment: APNSEnvironment
    ) async throws -> [DeviceOrdinal: DeviceToken]
    /// Returns the attributes of the devices, by their places in the list.
    func attributes(of ordinals: OrdinalList, app: App.ID) async throws -> AttributeValues
    /// Stores the badges of a step and how far they reach, in one transaction.
    ///
    /// - Returns: the badges that changed, in the order in which they were stored.
    func prepareBadges(_ badges: [BadgeUpdate], app: App.ID) async throws -> [StoredBadge]
    /// Returns the devices with these ordinals, without missing ones.
    func devices(_ ordinals: [DeviceOrdinal], of app: App.ID) async throws -> [RegisteredDevice]
    /// Stores the progress of chunks, failures, invalid tokens and a pause of the app, in one transaction.
    ///
    /// Progress under a lease that the owner has lost is not stored. Undecided pushes become a chunk of their own with its own due
    /// time. After ``StoreError/unknownOutcome(_:)`` the caller repeats the same checkpoint: if it was written, nothing is written again,
    /// and the result is that of the first time.
    func checkpoint(_ checkpoint: Checkpoint, _ claim: LeaseClaim) async throws -> CheckpointResult
    /// Ends the pause of a destination.
    func resume(_ destination: Destination) async throws
}
