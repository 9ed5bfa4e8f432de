public import Foundation
import SystemPort

/// A call on the device, as it was when it was read or reported.
open class CXCall: NSObject {
    /// The identifier by which the app reported or started the call.
    public let uuid: UUID
    /// Whether the app started the call.
    public let isOutgoing: Bool
    /// Whether the call is on hold.
    public let isOnHold: Bool
    /// Whether the two parties are connected.
    public let hasConnected: Bool
    /// Whether the call has ended; then it is in no list any more.
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
