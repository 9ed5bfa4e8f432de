import PushModel
import PushService

// The counters of a push in the formats of the report family. Those of unsupported platforms are null, the others are numbers;
// all are null for an unknown push.
//
// Source: JPush REST API v3, "Report API"; `live_acivity` is its spelling.
extension Optional<MessageCounts> {
    /// Returns a counter; null for an unknown push.
    private func count(_ path: KeyPath<MessageCounts, Int>) -> JSONValue { map { .number($0[keyPath: path]) } ?? .null }

    /// Returns an element of `/v3/received`.
    func received(_ id: MessageID) -> JSONValue {
        [
            "msg_id": .string(id.description), "android_received": .null, "ios_apns_sent": count(\.apns.sent),
            "ios_apns_received": count(\.apns.received), "ios_msg_received": count(\.custom.received),
            "wp_mpns_sent": .null,
        ]
    }

    /// Returns an element of `/v3/received/detail`.
    func receivedDetail(_ id: MessageID) -> JSONValue {
        [
            "msg_id": .string(id.description), "jpush_received": count(\.custom.received), "android_pns_sent": .null,
            "android_pns_received": .null, "ios_apns_sent": count(\.apns.sent),
            "ios_apns_received": count(\.apns.received),
            "ios_msg_received": count(\.custom.received), "live_acivity_sent": count(\.liveActivitySent),
            "live_acivity_received": count(\.liveActivityReceived), "wp_mpns_sent": .null,
            "quickapp_jpush_received": .null, "quickapp_pns_sent": .null, "hmos_hmpns_received": .null,
            "hmos_hmpns_sent": .null, "hmos_msg_received": .null, "hmos_msg_sent": .null,
        ]
    }

    /// Returns an element of `/v3/messages`, always with these four keys.
    func messages(_ id: MessageID) -> JSONValue {
        [
            "msg_id": .string(id.description),
            "android": ["received": .null, "target": .null, "online_push": .null, "click": .null, "msg_click": .null],
            "ios": [
                "apns_sent": count(\.apns.sent), "apns_target": count(\.apns.target),
                "apns_received": count(\.apns.received),
                "click": count(\.allClicked), "target": count(\.custom.target), "received": count(\.custom.received),
            ],
            "winphone": ["mpns_target": .null, "mpns_sent": .null, "click": .null],
        ]
    }
}

extension MessageCounts {
    /// The clicks on notifications and custom messages.
    fileprivate var allClicked: Int { apns.clicked + custom.clicked }
    fileprivate var liveActivitySent: Int { isForLiveActivities ? apns.sent : 0 }
    fileprivate var liveActivityReceived: Int { isForLiveActivities ? apns.received : 0 }
}
