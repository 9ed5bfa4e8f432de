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

    enum CodingKeys: String, CodingKey, CaseIterable {
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
