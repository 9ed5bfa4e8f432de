package import Foundation
package import PushModel

/// How long the service keeps what is over. All are days.
package struct RetentionRules: Hashable, Sendable {
    /// A push with its statistics and its journeys, after its last delivery. JPush: a month.
    package var messages: Int
    /// A schedule after it has ended (our choice).
    package var schedules: Int
    /// A device after its last sign of life. JPush counts it as gone after 255 days.
    package var devices: Int
    /// What is counted of users. JPush tells of the last two months.
    package var users: Int

    package init(messages: Int = 31, schedules: Int = 31, devices: Int = JPushLimits.inactiveDays, users: Int = 92) {
        self.messages = messages
        self.schedules = schedules
        self.devices = devices
        self.users = users
    }

    static func date(_ days: Int, before date: Date) -> Date { date.addingTimeInterval(-86_400 * Double(days)) }
}

/// A push that is no longer kept.
package struct Deletion: Hashable, Sendable {
    /// After so many days: what the rule was then.
    package var days: Int

    package init(days: Int) { self.days = days }
}

/// A message whose time may have come to be deleted.
package struct AgingMessage: Hashable, Sendable {
    package var id: MessageID
    /// The id of the last message of its batch; its own if it came alone.
    package var last: MessageID
    package var app: App.ID
    package var acceptedAt: Date
    /// When APNs last took it, or a device last reported; nil while it is under way.
    package var endedAt: Date?
    /// Its app was deleted.
    package var isOrphan: Bool

    package init(
        id: MessageID,
        last: MessageID,
        app: App.ID,
        acceptedAt: Date,
        endedAt: Date?,
        isOrphan: Bool
    ) {
        self.id = id
        self.last = last
        self.app = app
        self.acceptedAt = acceptedAt
        self.endedAt = endedAt
        self.isOrphan = isOrphan
    }

    package var ids: [MessageID] { (id.number...last.number).map { MessageID($0) } }
}
