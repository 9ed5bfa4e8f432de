package import PushModel

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
