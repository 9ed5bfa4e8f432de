package import DeviceLink
import PushClock
import PushModel

// Receipts from apps.
extension RegistrationController {
    private static let receiptsAtOnce = 1000

    /// Stores receipts as bits: repeated receipts count once. Receipts for pushes that did not go to the device are ignored.
    package func record(_ receipts: [DeviceReceipt], of device: DeviceID) async throws -> SDKReply {
        guard receipts.count <= Self.receiptsAtOnce else {
            return SDKReply(
                code: 6017,
                message: "\(receipts.count) receipts came at once; expected at most \(Self.receiptsAtOnce)."
            )
        }
        var bits: [MessageID: ReceiptBits] = [:]
        var inApp: [MessageID: ReceiptBits] = [:]
        for receipt in receipts {
            if receipt.isInApp {
                inApp[receipt.message, default: []].formUnion(receipt.bits)
            } else {
                bits[receipt.message, default: []].formUnion(receipt.bits)
            }
        }
        // The device's clock may be wrong; the service's clock decides how long reports on a push are kept.
        if !receipts.isEmpty { try await store.record(bits, inApp: inApp, of: device, at: clock.date) }
        return SDKReply(code: 0)
    }
}
