public import Foundation
import SystemPort

/// A call on the device, as it was when it was read or reported.
open class CXCall: NSObject {
    /// The identifier by which the app reported or started the call.
    open var uuid: UUID { record.id }
    /// Whether the app started the call.
    open var isOutgoing: Bool { record.isOutgoing }
    /// Whether the call is on hold.
    open var isOnHold: Bool { record.isOnHold }
    /// Whether the two parties are connected.
    open var hasConnected: Bool { record.hasConnected }
    /// Whether the call has ended; then it is in no list any more.
    open var hasEnded: Bool { record.hasEnded }

    private let record: CallRecord

    /// Creates an incoming call that is not answered, for subclasses in tests.
    public override init() { record = CallRecord(id: UUID()) }

    init(_ record: CallRecord) { self.record = record }

    /// Whether both are the same call.
    open func isEqual(to call: CXCall) -> Bool { uuid == call.uuid }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CXCall).map(isEqual(to:)) ?? false }
    open override var hash: Int { uuid.hashValue }
}
