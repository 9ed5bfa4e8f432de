public import PushModel
import Synchronization
public import SystemPort

/// Returns why values of a push do not fit a type of Live Activities; nil if they do.
typealias ActivityExaminer = @Sendable (LiveActivityValues) -> String?

// Live Activities: what the user sees, does and allows.

extension Device {
    /// Returns an app's Live Activities that are scheduled or visible, oldest first.
    public func activities(of bundleID: String) -> [LiveActivityRecord] {
        read { $0.apps[bundleID]?.activities.list.map(\.record) ?? [] }
    }

    /// Returns the token with which a push starts a Live Activity of an app, by the name of the attributes type.
    ///
    /// - Returns: nil until the app has asked for it (`pushToStartTokenUpdates`) and the gateway has issued it.
    public func startToken(of type: String, in bundleID: String) -> DeviceToken? {
        read { $0.apps[bundleID]?.activities.startTokens[type] }
    }

    /// Touches a Live Activity on the lock screen or in the island: its app comes to the foreground and continues a user activity of
    /// the type `NSUserActivityTypeLiveActivity`.
    ///
    /// - Returns: false if it is not there, or the device is locked.
    @discardableResult
    public func tapActivity(_ id: String) -> Bool { update { $0.tapActivity(id) } }

    /// Swipes a Live Activity off the lock screen, which ends it.
    ///
    /// - Returns: false if it is not there.
    @discardableResult
    public func dismissActivity(_ id: String) -> Bool { update { $0.dismissActivity(id) } }

    /// Sets "Live Activities" of an app in Settings, initially on. Off, all of them end and leave the lock screen.
    public func setLiveActivities(of bundleID: String, allowed: Bool) {
        update { $0.setActivities(of: bundleID, allowed: allowed) }
    }

    /// Sets "More Frequent Updates" of an app in Settings, initially on. It matters to apps with
    /// `NSSupportsLiveActivitiesFrequentUpdates` in their Info.plist.
    public func setFrequentActivityUpdates(of bundleID: String, allowed: Bool) {
        update { $0.setFrequentActivityUpdates(of: bundleID, allowed: allowed) }
    }

    /// Sets how many Live Activity pushes of priority 10 an app may get per hour, and how many an app with frequent updates; nil for
    /// no limit.
    public func setActivityPushesPerHour(_ limit: Int?, frequent: Int?) {
        update { state in
            state.changeProfile { profile in
                profile.activityPushesPerHour = limit
                profile.frequentActivityPushesPerHour = frequent
            }
        }
    }

    // MARK: Inside

    /// Keeps what examines values for a type of an app whose code is in this process.
    func keepExaminer(of type: String, in bundleID: String, _ examiner: @escaping ActivityExaminer) {
        examiners.withLock { $0[bundleID, default: [:]][type] = examiner }
    }

    private static let unexamined =
        "A push for a Live Activity counts as shown without an examination: the app, in a process of its own, does not run. "
        + "A phone drops values that do not fit the app's type."

    func examine(_ values: LiveActivityValues, of push: ExaminedPush) {
        let examiner = examiners.withLock { $0[push.bundleID]?[values.type] }
        let problem = examiner?(values)
        update { state in
            if examiner == nil { state.warn(Self.unexamined, app: push.bundleID) }
            state.carryOut(push, problem: problem)
        }
    }
}
