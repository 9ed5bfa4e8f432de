package import Foundation
package import PushModel
package import PushService
import Synchronization

/// Calls that only tests make, by the calls that the service makes.
extension PushStore {
    /// Returns all devices of all apps.
    package func allDevices() async throws -> [RegisteredDevice] {
        var all: [RegisteredDevice] = []
        for app in try await apps() { all += try await devices(of: app.id, from: 0, limit: .max) }
        return all
    }

    /// Stores messages and returns when they are on disk.
    package func store(_ pushes: [PreparedPush], cidsSince: Date) async throws -> [StoredPush] {
        try await withCheckedThrowingContinuation { continuation in
            accept(pushes, cidsSince: cidsSince) { continuation.resume(with: $0) }
        }
    }

    package func accept(_ pushes: [PreparedPush], cidsSince: Date) async throws -> [PushResult?] {
        try await store(pushes, cidsSince: cidsSince).map(\.earlier)
    }

    /// Withdraws a push alone, and returns the previous state of the ended chunks.
    package func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]? {
        try await withdraw(id, of: app, since: date, at: now, cidsSince: date) { _ in [] }?.ended
    }

    /// Returns when the next waiting chunk can be leased; nil if none waits.
    package func nextDue() async throws -> Date? {
        try await waiting(for: .onlyNode, at: .distantFuture).map(\.startsAt).min()
    }

    /// Returns the schedule that has been due for longest.
    package func dueSchedule(at now: Date) async throws -> ScheduleRecord? {
        try await dueSchedules(at: now, limit: 1).first
    }

    package func moveOn(_ record: ScheduleRecord, firing: ScheduleFiring?, to next: Date?) async throws {
        try await moveOn([ScheduleStep(record: record, firing: firing, next: next)])
    }
}

extension RetentionStore {
    /// Messages of any age.
    package func agingMessages(after id: MessageID, limit: Int) async throws -> [AgingMessage] {
        try await agingMessages(after: id, acceptedBefore: .distantFuture, limit: limit)
    }
}

extension AudienceStore {
    /// The tags that stay known without a device, of all apps.
    package func storedTags() async throws -> [App.ID: Set<String>] {
        let tags = Mutex<[App.ID: Set<String>]>([:])
        try await storedTags { app, names in tags.withLock { $0[app, default: []].formUnion(names) } }
        return tags.withLock(\.self)
    }
}
