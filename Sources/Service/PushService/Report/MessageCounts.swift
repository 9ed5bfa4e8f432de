package import PushModel

/// The statistics of one push.
///
/// Computed from its chunks, which have a bit for each device, so a count is as durable and exact as they are.
package struct MessageCounts: Hashable, Sendable {
    /// Devices that were to receive it over APNs: those of its environment with a token.
    package var target = 0
    /// Devices for which APNs answered 200.
    package var sent = 0
    /// Devices that reported its delivery.
    package var received = 0
    /// Devices that reported showing it.
    package var displayed = 0
    /// Devices on which the user tapped it, replied to it, or chose one of its actions.
    package var clicked = 0
    /// The counts of the push's custom message.
    package var custom = Custom()
    /// The counts of its in-app message.
    package var inApp = Custom()
    /// Whether the counts for APNs are those of a push to Live Activities.
    package var isForLiveActivities = false
    /// Whether the counts for APNs are those of a VoIP push.
    package var isForVoIP = false
    /// The counts of the VoIP push beside a notification.
    package var voip = VoIP()

    package init() {}

    /// Counts for delivery over APNs to the tokens for PushKit.
    package struct VoIP: Hashable, Sendable {
        package var target = 0
        package var sent = 0
        package var received = 0
        package var displayed = 0
        package var clicked = 0

        package init() {}

        /// Takes the counts for APNs of a message that is a VoIP push.
        package init(_ counts: MessageCounts) {
            (target, sent, received) = (counts.target, counts.sent, counts.received)
            (displayed, clicked) = (counts.displayed, counts.clicked)
        }
    }

    /// Counts for delivery over the SDK link.
    package struct Custom: Hashable, Sendable {
        /// Devices that were to receive it.
        package var target = 0
        /// Devices that have acknowledged it. A message lost with its link is sent again, and counts then.
        package var received = 0
        package var displayed = 0
        package var clicked = 0
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

extension MessageCounts {
    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.target += right.target
        sum.sent += right.sent
        sum.received += right.received
        sum.displayed += right.displayed
        sum.clicked += right.clicked
        sum.custom = sum.custom + right.custom
        sum.inApp = sum.inApp + right.inApp
        sum.isForLiveActivities = sum.isForLiveActivities || right.isForLiveActivities
        sum.isForVoIP = sum.isForVoIP || right.isForVoIP
        sum.voip = sum.voip + right.voip
        return sum
    }
}

extension MessageCounts.VoIP {
    fileprivate static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.target += right.target
        sum.sent += right.sent
        sum.received += right.received
        sum.displayed += right.displayed
        sum.clicked += right.clicked
        return sum
    }
}

extension MessageCounts.Custom {
    fileprivate static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.target += right.target
        sum.received += right.received
        sum.displayed += right.displayed
        sum.clicked += right.clicked
        return sum
    }
}
