public import Foundation

/// A call of ActivityKit to the system.
public enum LiveActivityCall: Hashable, Sendable, Codable {
    /// The app has this `ActivityAttributes` type.
    case declare(type: String)
    /// The app asks for the token that starts activities of this type.
    case requestStartToken(type: String)
    /// Starts an activity. Answered with ``SystemReply/liveActivities(_:)`` or ``SystemReply/liveActivityRefused(_:)``, also if
    /// it is only read, which starts nothing.
    case request(LiveActivityRequest)
    /// Changes the content, unless `timestamp` is older than the last change.
    case update(id: String, LiveActivityContent, alert: LiveActivityAlert?, timestamp: Date?)
    /// Ends an activity; without content it keeps its last.
    case end(id: String, LiveActivityContent?, LiveActivityDismissal, timestamp: Date?)
    /// Returns the app's activities of a type that are scheduled or visible, oldest first.
    case list(type: String)
}

/// The request for a new activity.
public struct LiveActivityRequest: Hashable, Sendable, Codable {
    /// The activity, with the id that the framework chose.
    public var activity: LiveActivityRecord
    /// Whether it gets a token for its updates.
    public var wantsToken: Bool
    /// The time of its start; nil for now.
    public var startDate: Date?
    /// The alert at its start.
    public var alert: LiveActivityAlert?

    /// Creates a request, to start now by default.
    public init(
        activity: LiveActivityRecord,
        wantsToken: Bool,
        startDate: Date? = nil,
        alert: LiveActivityAlert? = nil
    ) {
        self.activity = activity
        self.wantsToken = wantsToken
        self.startDate = startDate
        self.alert = alert
    }
}

/// An alert of an activity.
public struct LiveActivityAlert: Hashable, Sendable, Codable {
    /// The title, already looked up in the app's strings.
    public var title: String
    /// The text, already looked up in the app's strings.
    public var body: String
    /// Nil for an alert without a sound.
    public var sound: SoundRecord?

    /// Creates an alert.
    public init(title: String, body: String, sound: SoundRecord?) {
        self.title = title
        self.body = body
        self.sound = sound
    }
}

/// The time at which an ended activity leaves the lock screen, as `ActivityUIDismissalPolicy`.
public enum LiveActivityDismissal: Hashable, Sendable, Codable {
    /// After four hours at most.
    case automatic
    /// At once.
    case immediate
    /// At this date, four hours after the end at the latest.
    case after(Date)
}

/// The reason why an activity cannot start, as `ActivityAuthorizationError`.
public enum LiveActivityRefusal: String, Hashable, Sendable, Codable {
    /// Attributes and state together have more than 4 KB.
    case attributesTooLarge
    /// The user has switched Live Activities off.
    case denied
    /// The device has as many as it can show.
    case globalMaximumExceeded
    /// The app has as many as one app may have.
    case targetMaximumExceeded
    /// The app asks for pushes without the `aps-environment` entitlement.
    case unentitled
    /// The device has no Live Activities.
    case unsupported
    /// The app does not declare `NSSupportsLiveActivities`.
    case unsupportedTarget
    /// The app is not in the foreground.
    case visibility
}

/// An event of the device for ActivityKit.
public enum LiveActivityEvent: Hashable, Sendable, Codable {
    /// An activity has started or changed.
    case changed(LiveActivityRecord)
    /// The token that starts activities of a type.
    case startToken(type: String)
    /// The user's settings, which are among the facts, have changed.
    case settings
    /// Whether values from a push fit the app's type. Answered with ``EventReply/activityExamined(problem:)``.
    case examine(LiveActivityValues)
}

/// Values of a push for an activity, as JSON.
public struct LiveActivityValues: Hashable, Sendable, Codable {
    /// The name of the app's `ActivityAttributes` type.
    public var type: String
    /// The attributes of an activity to start; nil for one that has started.
    public var attributes: String?
    /// The content state; nil if the push leaves it as it is.
    public var state: String?

    /// Creates values; those that are nil are not checked.
    public init(type: String, attributes: String?, state: String?) {
        self.type = type
        self.attributes = attributes
        self.state = state
    }
}
