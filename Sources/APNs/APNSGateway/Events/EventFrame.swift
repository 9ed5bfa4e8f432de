import DeviceLink
package import PushModel

/// A frame between a gateway and a follower of its events: one JSON object each.
package enum EventFrame: Hashable, Sendable {
    /// Follower: requests the events after `number` of `log`; both are omitted at first.
    case follow(log: String?, after: Int64)
    /// Gateway: the events of this log follow, starting after `after`. A log other than the follower's means that the gateway
    /// has restarted and counts from 1 again.
    case following(log: String, after: Int64)
    /// Gateway: the events from `first` to `last` are no longer kept.
    case gap(first: Int64, last: Int64)
    /// Gateway: an event, numbered without gaps. The apns-id is in lower case.
    case event(number: Int64, apnsID: String, JourneyEvent)

    package var text: String {
        let object: JSONObject =
            switch self {
            case .follow(let log, let after):
                log.map { ["type": "follow", "log": .string($0), "after": .integer(after)] }
                    ?? ["type": "follow", "after": .integer(after)]
            case .following(let log, let after):
                ["type": "following", "log": .string(log), "after": .integer(after)]
            case .gap(let first, let last):
                ["type": "gap", "first": .integer(first), "last": .integer(last)]
            case .event(let number, let apnsID, let event):
                ["type": "event", "number": .integer(number), "apns-id": .string(apnsID), "event": event.json]
            }
        return JSONValue.object(object).text
    }

    /// Nil for anything that is not such a frame, or contains an event unknown to this version.
    package init?(text: String) {
        guard let frame = try? Self(parsing: text) else { return nil }
        self = frame
    }
}

extension EventFrame: JSONFrame {
    package init?(type: String, members: JSONReader) throws(JSONProblem) {
        switch type {
        case "follow":
            self = .follow(log: members["log"]?.string, after: try members.integer("after"))
        case "following":
            self = .following(log: try members.string("log"), after: try members.integer("after"))
        case "gap":
            self = .gap(first: try members.integer("first"), last: try members.integer("last"))
        case "event":
            self = .event(
                number: try members.integer("number"),
                apnsID: try members.string("apns-id"),
                try members.need("event", JSONForm("a known event", JourneyEvent.init(json:)))
            )
        default: return nil
        }
    }
}
