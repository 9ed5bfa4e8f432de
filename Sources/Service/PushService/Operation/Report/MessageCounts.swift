package import PushModel

/// The numbers of devices that one part of a push went to, by what became of it.
package struct DeliveryCounts: Codable, Hashable, Sendable {
    /// Devices that were to receive it; over APNs, those of its environment with a token.
    package var target = 0
    /// Devices for which APNs answered 200.
    package var sent = 0
    /// Devices that reported its delivery, or have acknowledged it. A message lost with its link is sent again, and counts then.
    package var received = 0
    /// Devices that reported showing it.
    package var displayed = 0
    /// Devices on which the user tapped it, replied to it, or chose one of its actions.
    package var clicked = 0

    fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
        case target, sent, received
        case displayed = "display"
        case clicked = "click"
    }

    package init(target: Int = 0, sent: Int = 0, received: Int = 0, displayed: Int = 0, clicked: Int = 0) {
        self.target = target
        self.sent = sent
        self.received = received
        self.displayed = displayed
        self.clicked = clicked
    }

    /// The counts of messages over the SDK link, of which only acknowledged ones count as sent.
    var acknowledged: Self {
        Self(target: target, sent: received, received: received, displayed: displayed, clicked: clicked)
    }

    package static func + (left: Self, right: Self) -> Self {
        DeliveryCounts(
            target: left.target + right.target,
            sent: left.sent + right.sent,
            received: left.received + right.received,
            displayed: left.displayed + right.displayed,
            clicked: left.clicked + right.clicked
        )
    }
}

/// The counts of a part of a push as the API shows them; all are null for an unknown push.
package struct CountsAnswer: Codable, Sendable {
    package let counts: DeliveryCounts?

    init(_ counts: DeliveryCounts?) { self.counts = counts }

    package init(from decoder: any Decoder) throws { counts = try? DeliveryCounts(from: decoder) }

    package func encode(to encoder: any Encoder) throws {
        if let counts { return try counts.encode(to: encoder) }
        var container = encoder.container(keyedBy: DeliveryCounts.CodingKeys.self)
        for key in DeliveryCounts.CodingKeys.allCases { try container.encodeNil(forKey: key) }
    }
}

/// The statistics of one push; its own members are the counts for delivery over APNs.
///
/// Computed from its chunks, which have a bit for each device, so a count is as durable and exact as they are.
@dynamicMemberLookup package struct MessageCounts: Hashable, Sendable {
    package var apns = DeliveryCounts()
    /// The counts of the push's custom message over the SDK link.
    package var custom = DeliveryCounts()
    /// The counts of its in-app message over the SDK link.
    package var inApp = DeliveryCounts()
    /// Whether the counts for APNs are those of a push to Live Activities.
    package var isForLiveActivities = false
    /// Whether the counts for APNs are those of a VoIP push.
    package var isForVoIP = false
    /// The counts of the VoIP push beside a notification, to the tokens for PushKit.
    package var voip = DeliveryCounts()

    package init() {}

    package subscript(dynamicMember count: WritableKeyPath<DeliveryCounts, Int>) -> Int {
        get { apns[keyPath: count] }
        set { apns[keyPath: count] = newValue }
    }

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.apns = left.apns + right.apns
        sum.custom = left.custom + right.custom
        sum.inApp = left.inApp + right.inApp
        sum.voip = left.voip + right.voip
        sum.isForLiveActivities = sum.isForLiveActivities || right.isForLiveActivities
        sum.isForVoIP = sum.isForVoIP || right.isForVoIP
        return sum
    }
}

/// The content of a device's report on a push.
package struct ReceiptBits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let received = ReceiptBits(rawValue: 1)
    package static let displayed = ReceiptBits(rawValue: 2)
    package static let clicked = ReceiptBits(rawValue: 4)

    /// Creates the bits for an event. A push that was shown or tapped was also received; other events give none.
    package init(_ event: JourneyEvent.Kind) {
        self =
            switch event {
            case .delivered: .received
            case .presented: [.received, .displayed]
            case .opened, .acted, .replied: [.received, .clicked]
            default: []
            }
    }
}
