package import PushModel

/// What is counted of one push.
///
/// Read from its chunks, where each device has a bit, so a count is as durable and as exact as they are.
package struct MessageCounts: Hashable, Sendable {
    /// Devices to which it was to go over APNs: of its environment, with a token.
    package var target = 0
    /// Devices for which APNs answered 200.
    package var sent = 0
    /// Devices of which a delivery was reported.
    package var received = 0
    /// Devices that reported to have shown it.
    package var displayed = 0
    /// Devices on which a person tapped it, answered it, or chose one of its actions.
    package var clicked = 0
    /// What is counted of the custom message that the push has.
    package var custom = Custom()
    /// The same of the in-app message.
    package var inApp = Custom()

    package init() {}

    /// Over the SDK's link.
    package struct Custom: Hashable, Sendable {
        /// Devices for which it was meant.
        package var target = 0
        /// Devices that have acknowledged it. What went down a link that broke before that is sent again, and counts then.
        package var received = 0
        package var displayed = 0
        package var clicked = 0
    }
}

/// What a device's report says of a push.
package struct ReportBits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let received = ReportBits(rawValue: 1)
    package static let displayed = ReportBits(rawValue: 2)
    package static let clicked = ReportBits(rawValue: 4)

    /// Who shows a push, or has it tapped, has received it; empty for what says nothing of this.
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
