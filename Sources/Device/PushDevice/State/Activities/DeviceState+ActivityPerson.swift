import PushModel
import SystemPort

// What a person sees of Live Activities, and does to them.

extension DeviceState {
    /// The type of the user activity with which a touched Live Activity opens its app.
    private static let touchedType = "NSUserActivityTypeLiveActivity"

    /// The activities on the lock screen. Source: Apple, `ActivityContent.relevanceScore`: the highest comes first; of equal ones the
    /// newest is first, which is our choice.
    var shownActivities: [ShownActivity] {
        let all = apps.values.flatMap { record in
            record.activities.list.filter { $0.record.isVisible && $0.isPresented }.map {
                (activity: $0, record: record)
            }
        }
        let ordered = all.sorted { one, other in
            let (first, second) = (one.activity, other.activity)
            return (second.record.content.relevanceScore, second.startDate, first.record.id)
                < (first.record.content.relevanceScore, first.startDate, second.record.id)
        }
        return ordered.map { ShownActivity($0.activity.record, of: $0.record.app) }
    }

    /// The activity in the Dynamic Island: the first that goes on and is not of the app in front. Source: Apple, "Displaying live data
    /// with Live Activities": an activity that has ended leaves the island at once.
    var shownIsland: ShownActivity? {
        springboard.isLocked ? nil : shownActivities.first { $0.record.isOngoing && $0.bundleID != springboard.front }
    }

    func shown(_ id: String, of bundleID: String) -> ShownActivity? {
        guard let record = apps[bundleID], let activity = activity(id, of: bundleID), activity.isPresented else {
            return nil
        }
        return ShownActivity(activity.record, of: record.app)
    }

    mutating func emit(_ activity: LiveActivity, _ change: ActivityChange, of bundleID: String) {
        guard let app = apps[bundleID]?.app else { return }
        guard activity.isPresented else {
            return change == .started ? warn(Self.staleAtStart, app: bundleID) : ()
        }
        emit(.activity(ShownActivity(activity.record, of: app), change), app: bundleID)
    }

    private static let staleAtStart =
        "The system never presents a Live Activity whose stale date has passed when it starts; give it a later one, or none."

    /// Opens the app of an activity that was touched; the app continues a user activity.
    mutating func tapActivity(_ id: String) -> Bool {
        guard !springboard.isLocked, let shown = shownActivities.first(where: { $0.id == id }) else { return false }
        emit(.activityTapped(id: id), app: shown.bundleID)
        give(.activity(ActivityRecord(type: Self.touchedType)), to: shown.bundleID)
        return true
    }

    /// Handles a swipe that removes an activity from the lock screen, which also ends it.
    mutating func dismissActivity(_ id: String) -> Bool {
        guard let shown = shownActivities.first(where: { $0.id == id }) else { return false }
        endActivity(id, of: shown.bundleID, with: nil, .immediate)
        return true
    }

    /// Ends the transient activities of an app that leaves the foreground, also because the device is locked.
    ///
    /// Source: Apple, `Activity.request(attributes:content:pushType:style:)`: a transient activity "ends automatically when a person
    /// automatically locks the device, collapses the extended presentation, leaves the app, or performs other tasks outside the Dynamic
    /// Island". The emulated island cannot be collapsed.
    mutating func endTransientActivities(of bundleID: String) {
        for activity in apps[bundleID]?.activities.list ?? []
        where activity.record.style == .transient && activity.record.isOngoing {
            endActivity(activity.record.id, of: bundleID, with: nil, .immediate)
        }
    }

    /// Switches an app's activities on or off in Settings. Off, all of them end and leave the lock screen.
    mutating func setActivities(of bundleID: String, allowed: Bool) {
        guard let record = apps[bundleID], record.activities.isAllowed != allowed else { return }
        if !allowed { removeActivities(of: bundleID) }
        apps[bundleID]?.activities.isAllowed = allowed
        if allowed { for type in record.activities.startTypes.sorted() { requestStartToken(of: type, bundleID) } }
        activitySettingsChanged(of: bundleID, allowed ? "Live Activities on" : "Live Activities off")
    }

    mutating func setFrequentActivityUpdates(of bundleID: String, allowed: Bool) {
        guard let record = apps[bundleID], record.activities.mayUpdateFrequently != allowed else { return }
        apps[bundleID]?.activities.mayUpdateFrequently = allowed
        activitySettingsChanged(of: bundleID, allowed ? "frequent updates on" : "frequent updates off")
    }

    private mutating func activitySettingsChanged(of bundleID: String, _ words: String) {
        emitChange(words, app: bundleID)
        sendFacts(bundleID)
        send(.liveActivity(.settings), to: bundleID)
    }
}
