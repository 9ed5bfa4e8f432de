package import Foundation
package import PushModel

/// A schedule as the service keeps it.
package struct ScheduleRecord: Hashable, Sendable, Identifiable {
    package var id: UUID
    package var app: App.ID
    package var schedule: Schedule
    package var createdAt: Date
    /// The firing that comes next, or is due; nil when there is none any more.
    package var dueAt: Date?
    /// Counts the changes: a firing moves the schedule on only if nobody has changed it meanwhile.
    package var version: Int64

    package init(
        id: UUID,
        app: App.ID,
        schedule: Schedule,
        createdAt: Date,
        dueAt: Date?,
        version: Int64 = 0
    ) {
        self.id = id
        self.app = app
        self.schedule = schedule
        self.createdAt = createdAt
        self.dueAt = dueAt
        self.version = version
    }

    /// A single schedule that has fired, or was missed, is gone; a periodical one stays.
    package var isGone: Bool { dueAt == nil && schedule.trigger.isSingle }
}

/// What came of one firing of a schedule.
package struct ScheduleFiring: Hashable, Sendable {
    /// When it was to be.
    package var dueAt: Date
    /// When it was.
    package var at: Date
    /// The push; nil if none came to be.
    package var messageID: MessageID?
    /// Why there was no push.
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
    /// As it was read.
    package var record: ScheduleRecord
    /// Nil for a time that passed by.
    package var firing: ScheduleFiring?
    /// The next firing; nil when there is none any more.
    package var next: Date?

    package init(record: ScheduleRecord, firing: ScheduleFiring?, next: Date?) {
        self.record = record
        self.firing = firing
        self.next = next
    }
}

/// How a new schedule was taken.
package enum ScheduleCreation: Hashable, Sendable {
    case created
    /// The cid had made this one before; nothing was kept.
    case repeated(id: UUID, name: String)
    case tooMany
}

/// The cid of a new schedule, and since when others count.
package struct ScheduleCID: Hashable, Sendable {
    package var text: String
    package var since: Date

    package init(text: String, since: Date) {
        self.text = text
        self.since = since
    }
}
