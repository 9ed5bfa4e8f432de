public import Foundation
public import PushModel

/// An event of a Live Activity: the keys of `aps` that ActivityKit reads.
///
/// Sent with `APNSPushType.liveactivity`.
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications", read October 2026.
public struct APSLiveActivity: Hashable, Sendable {
    /// `event`, with the values that belong to each.
    public enum Event: Hashable, Sendable {
        /// Starts one. `attributesType` is the name of the app's Swift type, `attributes` a value of it as JSON.
        case start(attributesType: String, attributes: JSONValue)
        /// Changes its content.
        case update
        /// Ends it. It stays visible until the date; without one up to four hours.
        case end(dismissalDate: Date? = nil)
    }

    /// The source of updates for a Live Activity that is started (iOS 18).
    public enum Input: Hashable, Sendable {
        /// `input-push-token`: the app receives a token for this activity.
        case pushToken
        /// `input-push-channel`: it listens to a broadcast channel.
        case pushChannel(APNSChannelID)
    }

    /// The event.
    public var event: Event
    /// The time of the state, in whole seconds on the wire. A device ignores states older than the last it has seen.
    public var timestamp: Date
    /// A value of the app's `ContentState` as JSON. A value that does not decode into the type is silently dropped.
    public var contentState: JSONValue?
    /// The date when the content counts as out of date.
    public var staleDate: Date?
    /// The source of updates; nil leaves the keys out.
    public var input: Input?

    /// Creates the content of a Live Activity push; the parameters are its properties.
    public init(
        _ event: Event,
        timestamp: Date,
        contentState: JSONValue?,
        staleDate: Date? = nil,
        input: Input? = nil
    ) {
        self.event = event
        self.timestamp = timestamp
        self.contentState = contentState
        self.staleDate = staleDate
        self.input = input
    }
}

extension APSLiveActivity {
    func add(to aps: inout JSONObject) {
        aps["timestamp"] = timestamp.wholeSeconds
        switch event {
        case .start(let type, let attributes):
            aps["event"] = "start"
            aps["attributes-type"] = .string(type)
            aps["attributes"] = attributes
        case .update:
            aps["event"] = "update"
        case .end(let dismissalDate):
            aps["event"] = "end"
            aps["dismissal-date"] = dismissalDate?.wholeSeconds
        }
        aps["content-state"] = contentState
        aps["stale-date"] = staleDate?.wholeSeconds
        switch input {
        case .pushToken: aps["input-push-token"] = 1
        case .pushChannel(let channel): aps["input-push-channel"] = .string(channel.rawValue)
        case nil: break
        }
    }
}

extension Date {
    /// The date in seconds since 1970, the format of Apple's keys.
    fileprivate var wholeSeconds: JSONValue { .integer(Int64(exactly: timeIntervalSince1970.rounded(.down)) ?? 0) }
}
