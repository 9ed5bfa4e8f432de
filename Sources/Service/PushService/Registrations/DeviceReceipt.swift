import DeviceLink
package import PushModel

/// A report of an app on a push.
package struct DeviceReceipt: Hashable, Sendable {
    package var message: MessageID
    package var bits: ReceiptBits
    /// Whether it is about the in-app message of the push.
    package var isInApp: Bool
}

extension DeviceReceipt {
    init(_ receipt: SDKReceipt) {
        let isInApp = receipt.event == .displayed || receipt.event == .clicked
        self.init(message: MessageID(receipt.messageID), bits: ReceiptBits(receipt.event), isInApp: isInApp)
    }
}

extension ReceiptBits {
    fileprivate init(_ event: SDKReceipt.Event) {
        self =
            switch event {
            case .received: .received
            case .displayed: [.received, .displayed]
            case .opened, .clicked: [.received, .clicked]
            }
    }
}
