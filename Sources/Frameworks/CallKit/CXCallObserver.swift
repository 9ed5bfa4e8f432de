public import Dispatch
public import Foundation
import SystemPort

/// Observes the calls on the device, those of other apps included.
open class CXCallObserver: NSObject {
    private let port = CurrentPort.find()

    public override init() { super.init() }

    /// The calls at this moment.
    open var calls: [CXCall] {
        guard case .calls(let records) = port.read(.callKit(.list)) else { return [] }
        return records.map { CXCall($0) }
    }

    /// Sets the delegate, which is held weakly and called on the queue; on the main queue for nil.
    open func setDelegate(_ delegate: (any CXCallObserverDelegate)?, queue: DispatchQueue?) {
        CallKitSlot.of(port).set(delegate, DelegateQueue(queue), of: self)
        CallKitCalls.handleEvents(of: port)
        port.call(.observe)
    }
}

/// Hears of changes of calls.
@preconcurrency public protocol CXCallObserverDelegate: NSObjectProtocol {
    /// A call began, changed or ended.
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall)
}
