/// The `ios` object of `live_activity`: an event of Live Activities.
///
/// Source: JPush REST API v3, "Push API", section on `live_activity`.
package struct LiveActivityPush: Hashable, Sendable {
    package enum Event: String, Hashable, Sendable, CaseIterable {
        case start
        case update
        case end
    }

    package var event: Event
    /// A value of the app's `ContentState`.
    package var contentState: JSONObject
    /// The name of the app's `ActivityAttributes` type; required for a start.
    package var attributesType: String?
    /// A value of that type.
    package var attributes: JSONObject?
    /// `title`, `body` and `sound`, as far as they are given.
    package var alert: JSONObject?
    /// Seconds since 1970.
    package var dismissalDate: Int64?
    /// Seconds since 1970.
    package var staleDate: Int64?
    /// 1 to 100.
    package var relevanceScore: JSONValue?
    /// 5 or 10.
    package var priority = 10

    /// Returns the members of `aps` for a state of `now`, in seconds since 1970. A device ignores states older than its last.
    package func aps(at now: Int64) -> JSONObject {
        var aps: JSONObject = [
            "timestamp": .integer(now), "event": .string(event.rawValue), "content-state": .object(contentState),
        ]
        aps["attributes-type"] = JSONValue(attributesType)
        if event == .start {
            aps["attributes"] = .object(attributes ?? [:])
            // Since iOS 18 an activity gets no token for its updates without it.
            aps["input-push-token"] = 1
        }
        aps["alert"] = JSONValue(alert)
        aps["dismissal-date"] = JSONValue(dismissalDate)
        aps["stale-date"] = JSONValue(staleDate)
        aps["relevance-score"] = relevanceScore
        return aps
    }
}
