package import Foundation
package import PushModel

/// A stored schedule.
package struct ScheduleRecord: Hashable, Sendable, Identifiable {
    package var id: UUID
    package var app: App.ID
    package var schedule: Schedule
    package var createdAt: Date
    /// The next firing, which may be due; nil when there are none left.
    package var dueAt: Date?
    /// The number of changes: a firing advances the schedule only if it has not been changed meanwhile.
    package var version: Int64

    package init(id: UUID, app: App.ID, schedule: Schedule, createdAt: Date, dueAt: Date?, version: Int64 = 0) {
        self.id = id
        self.app = app
        self.schedule = schedule
        self.createdAt = createdAt
        self.dueAt = dueAt
        self.version = version
    }

    /// Whether the schedule counts as deleted: a single one that has fired or was missed does; a periodical one stays.
    package var isGone: Bool { dueAt == nil && schedule.trigger.isSingle }
}

/// The result of one firing of a schedule.
package struct ScheduleFiring: Hashable, Sendable {
    /// The time at which it was due.
    package var dueAt: Date
    /// The time at which it happened.
    package var at: Date
    /// The push; nil if there was none.
    package var messageID: MessageID?
    /// The reason why there was no push.
    package var error: JPushError?

    package init(dueAt: Date, at: Date, messageID: MessageID?, error: JPushError? = nil) {
        self.dueAt = dueAt
        self.at = at
        self.messageID = messageID
        self.error = error
    }
}

/// The outcome for one due schedule.
package struct ScheduleStep: Hashable, Sendable {
    /// The schedule as it was read.
    package var record: ScheduleRecord
    /// The firing; nil if the time passed without one.
    package var firing: ScheduleFiring?
    /// The next firing; nil when there are none left.
    package var next: Date?

    package init(record: ScheduleRecord, firing: ScheduleFiring?, next: Date?) {
        self.record = record
        self.firing = firing
        self.next = next
    }
}

/// The result of creating a schedule.
package enum ScheduleCreation: Hashable, Sendable {
    case created
    /// The cid was already used to create this one; nothing was stored.
    case repeated(id: UUID, name: String)
    case tooMany
}

/// The cid of a new schedule, and the time since which earlier uses count.
package struct ScheduleCID: Hashable, Sendable {
    package var text: String
    package var since: Date

    package init(text: String, since: Date) {
        self.text = text
        self.since = since
    }
}
