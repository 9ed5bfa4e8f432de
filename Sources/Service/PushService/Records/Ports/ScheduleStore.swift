package import Foundation

/// Schedules and their firings.
package protocol ScheduleStore: Sendable {
    /// Stores the schedule and its cid in one transaction, unless the app has `limit` others with a firing to come.
    func createSchedule(_ record: ScheduleRecord, cid: ScheduleCID?, limit: Int) async throws -> ScheduleCreation
    /// Returns the app's schedules with a firing to come, in order of creation, and their total number.
    func schedules(of app: App.ID, offset: Int, limit: Int) async throws -> (total: Int, page: [ScheduleRecord])
    func schedule(_ id: UUID, of app: App.ID) async throws -> ScheduleRecord?
    /// Changes a schedule.
    ///
    /// - Returns: the schedule after the change; nil if there is none.
    /// - Throws: the error of `change`, in which case nothing changed.
    func updateSchedule(
        _ id: UUID,
        of app: App.ID,
        _ change: @escaping @Sendable (inout ScheduleRecord) throws -> Void
    ) async throws -> ScheduleRecord?
    /// Deletes the schedule with its firings.
    ///
    /// - Returns: whether there was one.
    func deleteSchedule(_ id: UUID, of app: App.ID) async throws -> Bool
    /// Returns the results of the schedule's firings, in order.
    func firings(of id: UUID) async throws -> [ScheduleFiring]
    /// Returns the schedules that have been due for longest, of all apps.
    func dueSchedules(at now: Date, limit: Int) async throws -> [ScheduleRecord]
    /// Returns the pushes of earlier firings, by their keys.
    func results(ofFirings firings: [(key: String, app: App.ID)]) async throws -> [PushResult?]
    /// Returns when the next schedule is due.
    func nextScheduleDue() async throws -> Date?
    /// Stores the firings, each once for its `dueAt`, and advances each schedule unless it has changed since it was read, in one
    /// transaction. Does nothing for a deleted schedule.
    func moveOn(_ steps: [ScheduleStep]) async throws
}
