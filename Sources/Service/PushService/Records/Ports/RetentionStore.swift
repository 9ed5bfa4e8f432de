package import Foundation
package import PushModel

/// Deletion of expired data: each call is one short transaction.
package protocol RetentionStore: Sendable {
    /// Returns the next messages after `id`, ordered by id, up to the first that was accepted at `date` or later.
    func agingMessages(after id: MessageID, acceptedBefore date: Date, limit: Int) async throws -> [AgingMessage]
    /// Marks the messages as deleted. Their remaining rows are deleted with ``deleteMessage(_:rows:)``.
    func markDeleted(_ messages: [MessageID], of app: App.ID, _ deletion: Deletion, at date: Date) async throws
    /// Deletes up to `rows` rows of a message, its own row last.
    ///
    /// - Returns: whether nothing of it is left.
    func deleteMessage(_ id: MessageID, rows: Int) async throws -> Bool
    /// Forgets messages that were marked as deleted before `date`, up to `limit` rows.
    ///
    /// - Returns: whether there may be more to do.
    func forgetDeletions(before date: Date, limit: Int) async throws -> Bool
    /// Deletes those of the devices that have not been seen since `date`. Their ordinals are never reused.
    ///
    /// - Returns: the deleted devices.
    func deleteDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        unseenSince date: Date,
        _ deletion: Deletion
    ) async throws -> [DeviceOrdinal]
    /// Deletes cids after (`app`, `cid`) that were used before a date, and those of schedules used before another.
    ///
    /// A store may keep cids for up to two days after their last use, and drop them together.
    ///
    /// - Returns: the place it reached; nil if there are no more.
    func deleteCIDs(
        after place: CIDPlace,
        usedBefore date: Date,
        ofSchedulesBefore scheduleDate: Date,
        limit: Int
    ) async throws -> CIDPlace?
    /// Removes up to `limit` messages from the log that expired before `date`.
    ///
    /// - Returns: whether there may be more to remove.
    func deleteCustomMessages(expiredBefore date: Date, limit: Int) async throws -> Bool
    /// Deletes up to `limit` schedules that ended before `date`, with their firings, and as many cids of schedules used before
    /// another date.
    ///
    /// - Returns: whether there may be more to do.
    func deleteSchedules(endedBefore date: Date, cidsUsedBefore cidDate: Date, limit: Int) async throws -> Bool
    /// Deletes up to `limit` group pushes that were accepted before `date` and have no messages left, and as many audience files
    /// that expired before `now`.
    ///
    /// - Returns: whether there may be more to do.
    func deleteGroupPushes(acceptedBefore date: Date, filesEndedBefore now: Date, limit: Int) async throws -> Bool
    /// Reduces finished periods to the number of devices.
    ///
    /// - Returns: whether there may be more to do.
    func closeUses(before times: [ReportUnit: String], limit: Int) async throws -> Bool
    /// Deletes up to `limit` counts of earlier periods.
    ///
    /// - Returns: whether there may be more to do.
    func deleteUses(before times: [ReportUnit: String], limit: Int) async throws -> Bool
    /// Returns the number of schedules that ended before `date`, and of counts of users in earlier periods.
    func expired(
        endedBefore date: Date,
        before times: [ReportUnit: String]
    ) async throws -> (schedules: Int, users: Int)
    /// Returns whether deleted apps still have rows.
    func hasOrphans() async throws -> Bool
    /// Deletes up to `limit` devices and other rows of deleted apps; their messages are deleted with ``deleteMessage(_:rows:)``.
    ///
    /// - Returns: whether there may be more to do.
    func deleteOrphans(limit: Int) async throws -> Bool
}

/// The position of a walk over all cids.
package struct CIDPlace: Hashable, Sendable {
    package var app: App.ID
    package var cid: String

    package init(app: App.ID, cid: String) {
        self.app = app
        self.cid = cid
    }

    package static let start = CIDPlace(app: 0, cid: "")
}
