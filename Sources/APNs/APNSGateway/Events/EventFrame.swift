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
        guard let object = (try? JSONValue(parsing: text))?.object else { return nil }
        switch object["type"]?.string {
        case "follow":
            guard let after = object["after"]?.integer else { return nil }
            self = .follow(log: object["log"]?.string, after: after)
        case "following":
            guard let log = object["log"]?.string, let after = object["after"]?.integer else { return nil }
            self = .following(log: log, after: after)
        case "gap":
            guard let first = object["first"]?.integer, let last = object["last"]?.integer else { return nil }
            self = .gap(first: first, last: last)
        case "event":
            guard let number = object["number"]?.integer, let apnsID = object["apns-id"]?.string,
                let event = object["event"].flatMap(JourneyEvent.init(json:))
            else { return nil }
            self = .event(number: number, apnsID: apnsID, event)
        default: return nil
        }
    }
}
