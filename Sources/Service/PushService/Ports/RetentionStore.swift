package import Foundation
package import PushModel

/// How what is over goes away: each call is one short transaction.
package protocol RetentionStore: Sendable {
    /// The next messages after `id`, in the order of their ids, up to the first that was accepted at `date` or later.
    func agingMessages(
        after id: MessageID,
        acceptedBefore date: Date,
        limit: Int
    ) async throws -> [AgingMessage]
    /// From here on the messages are known as deleted. What is left of them goes with ``deleteMessage(_:rows:)``.
    func markDeleted(_ messages: [MessageID], of app: App.ID, _ deletion: Deletion, at date: Date) async throws
    /// Deletes so many rows of a message, itself last.
    ///
    /// - Returns: whether nothing of it is left.
    func deleteMessage(_ id: MessageID, rows: Int) async throws -> Bool
    /// Nil for a message that is there, or never was the app's, or was deleted so long ago that nobody knows.
    func deletion(of message: MessageID, app: App.ID) async throws -> Deletion?
    /// Forgets messages that were marked as deleted before `date`, as many as `limit` rows name.
    ///
    /// - Returns: whether there may be more to do.
    func forgetDeletions(before date: Date, limit: Int) async throws -> Bool
    /// Deletes those of the devices that have not been seen since `date`. Their ordinals are never given out again.
    ///
    /// - Returns: which it were.
    func deleteDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        unseenSince date: Date,
        _ deletion: Deletion
    ) async throws -> [DeviceOrdinal]
    /// Nil for an ordinal that was not given out, or whose device is there.
    func deletion(of device: DeviceID) async throws -> Deletion?
    /// Deletes cids after (`app`, `cid`) that were used before a date; those of schedules before another.
    ///
    /// - Returns: up to where it looked; nil if there are no more.
    func deleteCIDs(
        after place: CIDPlace,
        usedBefore date: Date,
        ofSchedulesBefore scheduleDate: Date,
        limit: Int
    ) async throws -> CIDPlace?
    /// Deletes so many schedules that ended before `date`, with their firings, and as many cids of schedules used before another.
    ///
    /// - Returns: whether there may be more to do.
    func deleteSchedules(endedBefore date: Date, cidsUsedBefore cidDate: Date, limit: Int) async throws -> Bool
    /// Deletes so many pushes to groups that were accepted before `date` and none of whose messages is left, and as many uploaded
    /// audiences whose time was over before `now`.
    ///
    /// - Returns: whether there may be more to do.
    func deleteGroupPushes(acceptedBefore date: Date, filesEndedBefore now: Date, limit: Int) async throws -> Bool
    /// Keeps of times that are over only how many devices there were.
    ///
    /// - Returns: whether there may be more to do.
    func closeUses(before times: [ReportUnit: String], limit: Int) async throws -> Bool
    /// Forgets so much of what was counted in earlier times.
    ///
    /// - Returns: whether there may be more to do.
    func deleteUses(before times: [ReportUnit: String], limit: Int) async throws -> Bool
    /// The clock was set back by so many seconds to `now`: what waits for a later time waits for as much less, and nothing that
    /// was due waits at all.
    func bringForward(by seconds: TimeInterval, at now: Date) async throws
    /// Whether there are apps that were deleted and still have rows.
    func hasOrphans() async throws -> Bool
    /// Deletes so many devices and other rows of apps that were deleted; their messages go with ``deleteMessage(_:rows:)``.
    ///
    /// - Returns: whether there may be more to do.
    func deleteOrphans(limit: Int) async throws -> Bool
}

/// How far a walk over all cids has come.
package struct CIDPlace: Hashable, Sendable {
    package var app: App.ID
    package var cid: String

    package init(app: App.ID, cid: String) {
        self.app = app
        self.cid = cid
    }

    static let start = CIDPlace(app: 0, cid: "")
}
