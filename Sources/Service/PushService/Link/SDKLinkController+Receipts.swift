import DeviceLink
import Foundation
import PushClock
import PushModel

// Receipts from apps.
extension SDKLinkController {
    private static let receiptsAtOnce = 1000

    /// Stores receipts as bits: repeated receipts count once. Receipts for pushes that did not go to the device are ignored.
    func record(_ receipts: [SDKReceipt], of device: DeviceID) async throws -> SDKReply {
        guard receipts.count <= Self.receiptsAtOnce else {
            return SDKReply(
                code: 6017,
                message: "\(receipts.count) receipts came at once; expected at most \(Self.receiptsAtOnce)."
            )
        }
        var bits: [MessageID: ReceiptBits] = [:]
        var inApp: [MessageID: ReceiptBits] = [:]
        for receipt in receipts {
            let (message, said) = (MessageID(receipt.messageID), ReceiptBits(receipt.event))
            if receipt.event.isOfInAppMessages {
                inApp[message, default: []].formUnion(said)
            } else {
                bits[message, default: []].formUnion(said)
            }
        }
        // The device's clock may be wrong; the service's clock decides how long reports on a push are kept.
        if !receipts.isEmpty { try await store.record(bits, inApp: inApp, of: device, at: clock.date) }
        return SDKReply(code: 0)
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

extension SDKReceipt.Event {
    fileprivate var isOfInAppMessages: Bool { self == .displayed || self == .clicked }
}
