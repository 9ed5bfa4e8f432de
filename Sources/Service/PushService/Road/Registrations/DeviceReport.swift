package import DeviceLink
import Foundation
package import PushModel

/// The data that an app reports at each start; nil leaves a value as it is.
package struct DeviceReport: Hashable, Sendable {
    package var environment: APNSEnvironment?
    package var system: String?
    package var channel: String?
    /// An IANA name.
    package var zone: String?
    package var appVersion: String?
    /// A BCP 47 tag.
    package var language: String?
    package var permission: NotificationPermission?
}

/// The refusal of what a device asks for, with a client result code of the JPush SDK.
package struct RegistrationRefusal: Error, Hashable {
    package var code: Int
    package var message: String

    package init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    package init(_ reply: SDKReply) { self.init(reply.code, reply.message ?? "") }
}

/// A report of an app on a push.
package struct DeviceReceipt: Hashable, Sendable {
    package var message: MessageID
    package var event: SDKReceipt.Event

    var bits: ReceiptBits { ReceiptBits(event) }
    /// Whether it is about the in-app message of the push.
    var isInApp: Bool { event == .displayed || event == .clicked }
}

extension DeviceReceipt {
    package init(_ receipt: SDKReceipt) { self.init(message: MessageID(receipt.messageID), event: receipt.event) }

    func report(of device: DeviceID, at date: Date) -> JourneySpans.Report {
        JourneySpans.Report(message: message, device: device.ordinal, name: "receipt.\(event.rawValue)", date: date)
    }
}

extension ReceiptBits {
    fileprivate init(_ event: SDKReceipt.Event) {
        self =
            switch event {
            case .received: .received
            case .shown, .dismissed, .displayed: [.received, .displayed]
            case .opened, .action, .clicked, .absent: [.received, .clicked]
            case .removed: [.received, .displayed, .clicked]
            }
    }
}
