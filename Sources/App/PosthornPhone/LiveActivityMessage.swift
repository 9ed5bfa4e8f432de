public import Foundation
public import PushModel

/// A push for a Live Activity, in the words of Apple's payload.
public struct LiveActivityMessage: Hashable, Sendable {
    enum Event: Hashable, Sendable {
        case start(type: String, attributes: JSONValue)
        case update
        case end
    }

    let event: Event
    /// The `content-state`: a value of the app's `ContentState`.
    public var contentState: JSONValue?
    /// The `timestamp`; nil for the phone's time at sending.
    public var timestamp: Date?
    /// The `stale-date`.
    public var staleDate: Date?
    /// The `dismissal-date` of an end.
    public var dismissalDate: Date?
    /// The `relevance-score`.
    public var relevanceScore: Double?
    /// The `alert`.
    public var alert: JSONValue?
    /// The `input-push-channel` of a start.
    public var channel: String?
    /// The `input-push-token` of a start without a channel: since iOS 18 an activity gets a token for its updates only if the push asks
    /// for it.
    public var requestsToken = true
    /// The priority: 10 counts against the budget of the app, 5 does not.
    public var priority = APNSPriority.immediately

    /// Starts an activity.
    ///
    /// - Parameters:
    ///   - type: the name of the app's `ActivityAttributes` type.
    ///   - attributes: a value of that type.
    ///   - contentState: a value of its `ContentState`.
    /// - Returns: the message.
    public static func start(_ type: String, attributes: JSONValue, contentState: JSONValue) -> Self {
        Self(event: .start(type: type, attributes: attributes), contentState: contentState)
    }

    /// Changes the content.
    public static func update(_ contentState: JSONValue) -> Self { Self(event: .update, contentState: contentState) }

    /// Ends the activity.
    ///
    /// - Parameters:
    ///   - contentState: the last content; nil leaves it as it is.
    ///   - dismissalDate: the time at which it leaves the lock screen; nil for four hours after its end.
    /// - Returns: the message.
    public static func end(_ contentState: JSONValue? = nil, dismissalDate: Date? = nil) -> Self {
        Self(event: .end, contentState: contentState, dismissalDate: dismissalDate)
    }

    private init(event: Event, contentState: JSONValue?, dismissalDate: Date? = nil) {
        (self.event, self.contentState, self.dismissalDate) = (event, contentState, dismissalDate)
    }

    /// Returns the payload.
    ///
    /// - Parameter now: the time at sending.
    /// - Returns: the payload as JSON.
    func payload(at now: Date) -> JSONValue {
        func seconds(_ date: Date) -> JSONValue { .integer(Int64(date.timeIntervalSince1970)) }
        var aps: JSONObject = ["timestamp": seconds(timestamp ?? now)]
        switch event {
        case .start(let type, let attributes):
            aps["event"] = "start"
            aps["attributes-type"] = .string(type)
            aps["attributes"] = attributes
            aps["input-push-channel"] = channel.map { .string($0) }
            if channel == nil, requestsToken { aps["input-push-token"] = 1 }
        case .update: aps["event"] = "update"
        case .end: aps["event"] = "end"
        }
        aps["content-state"] = contentState
        aps["stale-date"] = staleDate.map(seconds)
        aps["dismissal-date"] = dismissalDate.map(seconds)
        aps["relevance-score"] = relevanceScore.map { .double($0) }
        aps["alert"] = alert
        return ["aps": .object(aps)]
    }
}
