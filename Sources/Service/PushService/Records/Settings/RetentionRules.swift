import Foundation
import PushModel

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
