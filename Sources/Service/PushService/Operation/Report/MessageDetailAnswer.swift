package import PushModel

/// The counters of a push as `/v3/messages/detail` and its group version show them; all are null for an unknown push.
///
/// Source: JPush REST API v3, "Report API".
package struct MessageDetailAnswer: Codable, Sendable {
    package struct Details: Codable, Sendable {
        package let notification: Part
        /// The custom message.
        package let message: Part
        /// The in-app message, if there is one; it counts as received whether or not the app had to show it.
        package let inapp: CountsAnswer?
        package let liveActivity: Part?
    }

    /// The counts of a part, and those of its channels.
    package struct Part: Codable, Sendable {
        package let all: CountsAnswer
        private let subIOS: JSONValue

        private enum CodingKeys: String, CodingKey {
            case all = "_0"
            case subIOS
        }

        fileprivate init(_ all: DeliveryCounts?, _ channels: KeyValuePairs<String, DeliveryCounts?>) {
            self.all = CountsAnswer(all)
            subIOS = .object(JSONObject(channels.map { ($0.key, JSONCoding.json(of: CountsAnswer($0.value))) }))
        }
    }

    /// The counts over APNs and of the custom message.
    package struct IOS: Codable, Sendable {
        @OrNull package var apnsTarget: Int?
        @OrNull package var apnsSent: Int?
        @OrNull package var apnsReceived: Int?
        @OrNull package var apnsClick: Int?
        @OrNull package var apnsDisplay: Int?
        @OrNull package var msgTarget: Int?
        @OrNull package var msgReceived: Int?
        @OrNull package var msgClick: Int?
        @OrNull package var msgDisplay: Int?

        fileprivate init(_ apns: DeliveryCounts?, _ custom: DeliveryCounts?) {
            apnsTarget = apns?.target
            apnsSent = apns?.sent
            apnsReceived = apns?.received
            apnsClick = apns?.clicked
            apnsDisplay = apns?.displayed
            msgTarget = custom?.target
            msgReceived = custom?.received
            msgClick = custom?.clicked
            msgDisplay = custom?.displayed
        }
    }

    /// The push; nil for one to a group, and for a plan.
    package let msgID: String?
    package let groupMsgid: String?
    package let planID: String?
    package let details: Details
    /// The counts of the SDK link; whether a device was online at the push is not counted.
    private let jpush: JSONValue
    private let androidPNS: JSONValue
    package let ios: IOS
    @OrNull private var winphone: JSONValue?
    @OrNull private var quickappJpush: JSONValue?
    @OrNull private var quickappPNS: JSONValue?

    package init(_ counts: MessageCounts?, of message: MessageID? = nil, group: String? = nil, plan: String? = nil) {
        msgID = message?.description
        groupMsgid = group
        planID = plan
        details = Details(counts)
        let apns = counts?.apns
        let custom = counts?.custom
        var link = JSONCoding.object(of: CountsAnswer(custom?.acknowledged))
        link["online_push"] = .null
        link["msg_click"] = .orNull(custom?.clicked)
        jpush = .object(link)
        // Posthorn does not use this channel.
        let none: JSONValue = counts == nil ? .null : 0
        androidPNS = ["pns_target": none, "pns_sent": none, "pns_received": none, "pns_display": none]
        ios = IOS(apns, custom)
        winphone = nil
        quickappJpush = nil
        quickappPNS = nil
    }
}

extension MessageDetailAnswer.Details {
    fileprivate init(_ counts: MessageCounts?) {
        let isForActivities = counts?.isForLiveActivities == true
        let isForVoIP = counts?.isForVoIP == true
        let nothing = counts.map { _ in DeliveryCounts() }
        let apns = isForActivities || isForVoIP ? nothing : counts?.apns
        let voip = isForVoIP ? counts?.apns : counts?.voip
        let custom = counts?.custom.acknowledged
        notification = .init(apns.flatMap { apns in voip.map { apns + $0 } }, ["apns": apns, "voip": voip])
        message = .init(custom, ["jg_ios": custom])
        inapp = counts.flatMap { $0.inApp.target > 0 ? CountsAnswer($0.inApp.acknowledged) : nil }
        liveActivity = isForActivities ? .init(counts?.apns, ["apns": counts?.apns]) : nil
    }
}
