import Foundation
import PushModel
import SystemPort

/// The Live Activities of an app, and what the user allows.
struct AppActivities: Sendable {
    /// The scheduled and the visible ones, oldest first.
    private(set) var list: [LiveActivity] = []
    /// The names of the app's attributes types, as far as its code has told.
    var types: Set<String> = []
    /// The types whose activities the app lets pushes start.
    private(set) var startTypes: Set<String> = []
    /// The tokens that start activities, by the name of the type.
    var startTokens: [String: DeviceToken] = [:]
    /// The switch "Live Activities" in the app's settings.
    var isAllowed = true
    /// The switch "More Frequent Updates".
    var mayUpdateFrequently = true
    /// The budget of pushes of priority 10.
    var pushes = HourlyBudget()
    /// The budget of starts by push.
    var starts = HourlyBudget()

    subscript(_ id: String) -> LiveActivity? { list.first { $0.record.id == id } }

    mutating func add(_ activity: LiveActivity) {
        types.insert(activity.record.type)
        list.append(activity)
    }

    /// Changes an activity, and removes one that is dismissed then. Returns it after the change; nil if there is none with this id.
    mutating func change(_ id: String, _ body: (inout LiveActivity) -> Void) -> LiveActivity? {
        guard let place = list.firstIndex(where: { $0.record.id == id }) else { return nil }
        body(&list[place])
        list[place].record.version += 1
        return list[place].record.state == .dismissed ? list.remove(at: place) : list[place]
    }

    // MARK: Starts by push

    mutating func letPushesStart(_ type: String) {
        startTypes.insert(type)
        types.insert(type)
    }

}

/// A Live Activity, with what the device knows of its life.
struct LiveActivity: Sendable {
    /// The longest life. Source: Apple, "Displaying live data with Live Activities": up to eight hours unless the app or a person ends it.
    static let lifetime: TimeInterval = 8 * 3600
    /// The longest time that an ended activity stays on the lock screen. Source: the same page: up to four hours.
    static let afterlife: TimeInterval = 4 * 3600

    var record: LiveActivityRecord
    var wantsToken: Bool
    /// The time at which it started, or will start.
    var startDate: Date
    /// The alert at a scheduled start.
    var startAlert: LiveActivityAlert?
    /// The time of the state that is shown, in seconds since 1970.
    var timestamp: TimeInterval
    /// The time at which it leaves the lock screen, once it has ended.
    var removal: Date?
    /// Whether the system shows it.
    var isPresented = true

    /// The time at which the system ends it.
    var end: Date { startDate.addingTimeInterval(Self.lifetime) }

    /// The time at which something happens to it next.
    var deadline: Date? {
        switch record.state {
        case .pending: startDate
        case .active: min(end, record.content.staleDate ?? end)
        case .stale: end
        case .ended: removal
        case .dismissed: nil
        }
    }

    /// Ends it, and computes when it leaves the lock screen.
    mutating func end(at date: Date, _ dismissal: LiveActivityDismissal) {
        record.state = .ended
        let latest = date.addingTimeInterval(Self.afterlife)
        removal =
            switch dismissal {
            case .automatic: latest
            case .immediate: date
            case .after(let wanted): min(wanted, latest)
            }
        if let removal, removal <= date { record.state = .dismissed }
    }

    /// Starts it with its content. One whose stale date has passed already is never presented, as measured on a phone
    /// (nalu-development/nalu#222). That an update does not change this is our decision.
    mutating func start(_ content: LiveActivityContent, at date: Date) {
        set(content, at: date)
        isPresented = record.state != .stale
    }

    /// Sets the content, which makes it active again unless the content is out of date already.
    mutating func set(_ content: LiveActivityContent, at date: Date) {
        record.content = content
        guard record.isOngoing else { return }
        record.state = content.staleDate.map { $0 <= date } == true ? .stale : .active
    }
}

/// A push whose values are being examined.
struct ExaminedPush: Sendable {
    var apnsID: String
    var push: ActivityPush
    var bundleID: String
    /// The activity; nil for one that starts.
    var activity: String?

    var subject: JourneySubject { .push(apnsID: apnsID) }
}
