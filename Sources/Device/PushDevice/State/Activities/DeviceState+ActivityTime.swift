import Foundation
import SystemPort

// The deadlines of Live Activities: scheduled starts, stale dates, the end after eight hours, and the removal from the lock screen.

extension DeviceState {
    /// Sets the alarm for the next deadline.
    mutating func planActivities() {
        let deadlines = apps.values.flatMap { $0.activities.list.compactMap(\.deadline) }
        guard let next = deadlines.min() else { return add(.cancel(.activities)) }
        add(.alarm(.activities, .seconds(max(0, next.timeIntervalSince(date)) + 0.001)))
    }

    /// Handles the deadlines that have passed, in their order for each activity.
    mutating func activitiesDue() {
        for bundleID in bundleIDs {
            for id in apps[bundleID]?.activities.list.map(\.record.id) ?? [] {
                while let activity = activity(id, of: bundleID), let deadline = activity.deadline, deadline <= date {
                    pass(deadline, of: activity, bundleID)
                }
            }
        }
        planActivities()
    }

    private mutating func pass(_ deadline: Date, of activity: LiveActivity, _ bundleID: String) {
        let id = activity.record.id
        switch activity.record.state {
        case .pending:
            changeActivity(id, of: bundleID, as: .started) { activity in
                activity.record.state = .active
                activity.start(activity.record.content, at: deadline)
            }
            if let alert = activity.startAlert { show(alert, of: id, bundleID) }
        case .active where deadline < activity.end:
            changeActivity(id, of: bundleID, as: .stale) { $0.record.state = .stale }
        case .active, .stale:
            // It stays up to four more hours on the lock screen, which makes twelve.
            giveUpToken(of: id, bundleID)
            changeActivity(id, of: bundleID, as: .ended) { activity in
                activity.record.pushToken = nil
                activity.end(at: deadline, .automatic)
            }
        case .ended, .dismissed: changeActivity(id, of: bundleID, as: .dismissed) { $0.record.state = .dismissed }
        }
    }
}
