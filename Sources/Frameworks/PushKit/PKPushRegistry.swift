public import Dispatch
public import Foundation
import PushModel
import SystemPort

/// Registers an app for pushes of certain types, and passes them to its delegate.
///
/// An app creates a registry each time it launches, and keeps it. Set the delegate before ``desiredPushTypes``.
open class PKPushRegistry: NSObject {
    private let port: any SystemPort
    private let slot: RegistrySlot
    let queue: DelegateQueue

    /// Receives the credentials and the pushes; held weakly.
    open weak var delegate: (any PKPushRegistryDelegate)? {
        didSet { if let delegate { DelegateCheck.review(delegate, on: port) } }
    }

    /// The types that the app wants pushes of. Assigning registers for those that are new, whose credentials the delegate receives,
    /// and gives up the tokens of those that no registry of the app desires any more.
    ///
    /// For `.voIP` the app's `UIBackgroundModes` must contain `voip`: otherwise there are no credentials, and the device's events
    /// have a warning.
    open var desiredPushTypes: Set<PKPushType>? {
        get { slot.types(of: self).map { Set($0.map { PKPushType($0) }) } }
        set {
            slot.set(newValue.map { Set($0.compactMap(\.type)) }, of: self)
            port.call(.pushKit(.desire(slot.allTypes))) { _ in }
        }
    }

    /// Creates a registry.
    ///
    /// - Parameter queue: the queue on which the delegate is called; nil for the main queue.
    public init(queue: DispatchQueue?) {
        SystemSymbol.pushRegistry.require()
        let port = CurrentPort.find()
        self.port = port
        self.queue = DelegateQueue(queue)
        slot = RegistrySlot.of(port)
        super.init()
        PushRegistryCalls.handleEvents(of: port)
    }

    /// Returns the token of a type, as its delegate has received it; nil if there is none.
    open func pushToken(for type: PKPushType) -> Data? {
        guard let type = type.type, case .pushToken(let token?) = port.read(.pushKit(.token(type))) else { return nil }
        return Data(token.bytes)
    }
}
