public import Foundation
import SystemPort

/// A call on the device, as it was when it was read or reported.
open class CXCall: NSObject {
    public let uuid: UUID
    public let isOutgoing: Bool
    public let isOnHold: Bool
    public let hasConnected: Bool
    public let hasEnded: Bool

    init(_ record: CallRecord) {
        uuid = record.id
        isOutgoing = record.isOutgoing
        isOnHold = record.isOnHold
        hasConnected = record.hasConnected
        hasEnded = record.hasEnded
    }

    /// Whether both are the same call.
    open func isEqual(to call: CXCall) -> Bool { uuid == call.uuid }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CXCall).map(isEqual(to:)) ?? false }
    open override var hash: Int { uuid.hashValue }
}
