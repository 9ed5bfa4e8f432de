public import Foundation
public import PushModel

/// What happens to a Live Activity: the keys of `aps` that ActivityKit reads.
///
/// Sent with `APNSPushType.liveactivity`.
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications", read October 2026.
public struct APSLiveActivity: Hashable, Sendable {
    /// `event`, with what belongs to each.
    public enum Event: Hashable, Sendable {
        /// Begins one. `attributesType` is the name of the app's Swift type, `attributes` a value of it as JSON.
        case start(attributesType: String, attributes: JSONValue)
        /// Changes what it shows.
        case update
        /// Ends it. It stays visible until the date; without one up to four hours.
        case end(dismissalDate: Date? = nil)
    }

    /// How a Live Activity that is started gets its updates (iOS 18).
    public enum Input: Hashable, Sendable {
        /// `input-push-token`: the app is given a token for this one.
        case pushToken
        /// `input-push-channel`: it listens to a broadcast channel.
        case pushChannel(APNSChannelID)
    }

    /// What happens.
    public var event: Event
    /// When this was so, in whole seconds on the wire. A device ignores what is older than the last it has seen.
    public var timestamp: Date
    /// A value of the app's `ContentState` as JSON. One that does not decode into the type is dropped without a word.
    public var contentState: JSONValue?
    /// When the content counts as out of date.
    public var staleDate: Date?
    /// Nil leaves the keys out.
    public var input: Input?

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
    /// Seconds since 1970, as Apple's keys have dates.
    fileprivate var wholeSeconds: JSONValue {
        .integer(Int64(exactly: timeIntervalSince1970.rounded(.down)) ?? 0)
    }
}
