package import Foundation
package import PushModel

/// The retention periods, in days.
package struct RetentionRules: Hashable, Sendable {
    /// For a push with its statistics and journeys, after its last delivery. JPush: a month.
    package var messages = 31
    /// For a schedule after its end (our choice).
    package var schedules = 31
    /// For a device after it was last seen. JPush counts it as inactive after 255 days.
    package var devices = JPushLimits.inactiveDays
    /// For user statistics. JPush reports the last two months.
    package var users = 92
    /// For changes in the logs of nodes. A node that was away for longer reads all devices anew (our choice).
    package var changes = 1
    /// For entries of the audit log beyond the newest 100,000 (our choice).
    package var audit = 90

    /// For events that apps read by position; 0 for none (our choice).
    package var events = 0

    /// The date since which a device must have been seen.
    func deviceCutoff(at now: Date) -> Date {
        // A device seen at any time of a day counts for the whole day, as it does for audiences.
        let day = (now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
        return Self.date(devices, before: Date(timeIntervalSince1970: day))
    }

    static func date(_ days: Int, before date: Date) -> Date { date.addingTimeInterval(-86_400 * Double(days)) }
}

/// The record of a deletion.
package struct Deletion: Hashable, Sendable {
    /// The number of days after which it was deleted, by the rule at that time.
    package var days: Int
    /// The time of the deletion, for the events of the app; nil to write none.
    package var date: Date?

    package init(days: Int, at date: Date? = nil) {
        self.days = days
        self.date = date
    }
}

/// A message that may be due for deletion.
package struct AgingMessage: Hashable, Sendable {
    package var id: MessageID
    /// The id of the last message of its batch; its own if it came alone.
    package var last: MessageID
    package var app: App.ID
    package var acceptedAt: Date
    /// The time when APNs last accepted it, or a device last reported; nil while it is under way.
    package var endedAt: Date?
    /// Whether its app was deleted.
    package var isOrphan: Bool

    package init(id: MessageID, last: MessageID, app: App.ID, acceptedAt: Date, endedAt: Date?, isOrphan: Bool) {
        self.id = id
        self.last = last
        self.app = app
        self.acceptedAt = acceptedAt
        self.endedAt = endedAt
        self.isOrphan = isOrphan
    }

    package var ids: [MessageID] { (id.number...last.number).map { MessageID($0) } }
}
