public import Foundation
public import PushModel

/// A Live Activity of an app, as its device keeps it.
public struct LiveActivityRecord: Hashable, Sendable, Codable {
    /// The state in the life cycle, as ActivityKit's `ActivityState`.
    public enum State: String, Hashable, Sendable, Codable {
        /// Scheduled to start later.
        case pending
        /// It is shown, and can be updated.
        case active
        /// Visible, and its content is out of date.
        case stale
        /// Visible, and its content changes no more.
        case ended
        /// No longer visible.
        case dismissed
    }

    /// The value of `ActivityStyle`.
    public enum Style: String, Hashable, Sendable, Codable {
        /// It stays until it is ended.
        case standard
        /// It ends when the person leaves the app or locks the device.
        case transient
    }

    /// The identifier, unique on the device.
    public var id: String
    /// The name of the app's `ActivityAttributes` type, without its module.
    public var type: String
    /// The attributes, as JSON.
    public var attributes: String
    /// The content.
    public var content: LiveActivityContent
    /// The state in the life cycle.
    public var state = State.active
    /// The style.
    public var style = Style.standard
    /// The token for its updates; nil until the gateway has issued it, and for an activity without one.
    public var pushToken: DeviceToken?
    /// The broadcast channel that it listens to; nil for none.
    public var channel: String?
    /// Counts the changes.
    public var version = 0

    /// Creates an active activity without a token.
    public init(id: String, type: String, attributes: String, content: LiveActivityContent) {
        self.id = id
        self.type = type
        self.attributes = attributes
        self.content = content
    }

    /// Whether its content may still change.
    public var isOngoing: Bool { state == .active || state == .stale }
    /// Whether a person sees it.
    public var isVisible: Bool { isOngoing || state == .ended }
}

/// The content of a Live Activity, as ActivityKit's `ActivityContent`.
public struct LiveActivityContent: Hashable, Sendable, Codable {
    /// A value of the app's `ContentState`, as JSON.
    public var state: String
    /// The time at which the content is out of date; nil for never.
    public var staleDate: Date?
    /// The order among the app's activities: the highest comes first.
    public var relevanceScore: Double

    /// Creates content from its parts.
    public init(state: String, staleDate: Date? = nil, relevanceScore: Double = 0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}

/// The facts about Live Activities that an app can read without waiting.
public struct LiveActivityFacts: Hashable, Sendable, Codable {
    /// Whether the app may start activities.
    public var areEnabled = false
    /// Whether the app may update them with frequent pushes.
    public var areFrequentPushesEnabled = false
    /// The tokens that start activities, by the name of the attributes type.
    public var startTokens: [String: DeviceToken] = [:]

    /// Creates the facts of an app without activities, which may have some.
    public init() {}
}
