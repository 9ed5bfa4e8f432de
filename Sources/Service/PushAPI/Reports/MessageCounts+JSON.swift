import PushModel
import PushService

// The counters of a push in the formats of the report family. Those of unsupported platforms are null, the others are numbers;
// all are null for an unknown push.
//
// Source: JPush REST API v3, "Report API"; `live_acivity` is its spelling.
extension Optional<MessageCounts> {
    /// Returns a counter; null for an unknown push.
    private func count(_ path: KeyPath<MessageCounts, Int>) -> JSONValue {
        map { .number($0[keyPath: path]) } ?? .null
    }

    /// The count for a channel that Posthorn does not use: 0; null for an unknown push.
    private var none: JSONValue { self == nil ? .null : 0 }

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

    /// Returns an element of `/v3/messages/detail` or of its group version; they differ in the key of the id.
    func messagesDetail(_ id: JSONValue, named name: String = "msg_id") -> JSONValue {
        .object([
            name: id, "details": details,
            "jpush": .object(jpush),
            "android_pns": ["pns_target": none, "pns_sent": none, "pns_received": none, "pns_display": none],
            "ios": [
                "apns_target": count(\.apns.target), "apns_sent": count(\.apns.sent),
                "apns_received": count(\.apns.received),
                "apns_click": count(\.apns.clicked), "apns_display": count(\.apns.displayed),
                "msg_target": count(\.custom.target), "msg_received": count(\.custom.received),
                "msg_click": count(\.custom.clicked), "msg_display": count(\.custom.displayed),
            ],
            "winphone": .null, "quickapp_jpush": .null, "quickapp_pns": .null,
        ])
    }

    private var details: JSONValue {
        var details: JSONObject = ["notification": notification, "message": message]
        // A message counts as received whether or not the app had to show it.
        if let self, self.inApp.target > 0 { details["inapp"] = .object(counts(of: \.inApp, sent: \.received)) }
        if self?.isForLiveActivities == true { details["live_activity"] = liveActivity }
        return .object(details)
    }

    /// Returns the counts of a part; over the SDK link, only acknowledged messages count as sent.
    private func counts(
        of part: KeyPath<MessageCounts, DeliveryCounts>,
        sent: KeyPath<DeliveryCounts, Int> = \.sent
    ) -> JSONObject {
        [
            "target": count(part.appending(path: \.target)), "sent": count(part.appending(path: sent)),
            "received": count(part.appending(path: \.received)), "display": count(part.appending(path: \.displayed)),
            "click": count(part.appending(path: \.clicked)),
        ]
    }

    private var apns: JSONObject { counts(of: \.apns) }
    private var custom: JSONObject { counts(of: \.custom, sent: \.received) }

    private var liveActivity: JSONValue {
        var all = apns
        all["sub_ios"] = ["apns": .object(apns)]
        return .object(all)
    }

    private var notification: JSONValue {
        let isOther = self?.isForLiveActivities == true || self?.isForVoIP == true
        let (apns, voip) = (isOther ? nothing : apns, self?.isForVoIP == true ? apns : counts(of: \.voip))
        var all: JSONObject = [:]
        for member in apns.members {
            all[member.key] =
                member.value.integer.map { .integer($0 + (voip[member.key]?.integer ?? 0)) } ?? member.value
        }
        all["sub_ios"] = ["apns": .object(apns), "voip": .object(voip)]
        return .object(all)
    }

    /// Custom messages.
    private var message: JSONValue {
        var all = custom
        all["sub_ios"] = ["jg_ios": .object(custom)]
        return .object(all)
    }

    /// The counts of the SDK link; whether a device was online at the push is not counted.
    private var jpush: JSONObject {
        var all = custom
        all["online_push"] = .null
        all["msg_click"] = count(\.custom.clicked)
        return all
    }

    private var nothing: JSONObject {
        ["target": none, "sent": none, "received": none, "display": none, "click": none]
    }
}

extension MessageCounts {
    /// The clicks on notifications and custom messages.
    fileprivate var allClicked: Int { apns.clicked + custom.clicked }
    fileprivate var liveActivitySent: Int { isForLiveActivities ? apns.sent : 0 }
    fileprivate var liveActivityReceived: Int { isForLiveActivities ? apns.received : 0 }
}
