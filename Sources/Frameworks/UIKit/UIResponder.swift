public import Foundation
import SystemPort

/// The root of an app delegate, of views and of their controllers.
@MainActor
open class UIResponder: NSObject {
    /// Required, so that a delegate can be made from its type alone; nonisolated as `NSObject`'s own.
    public required override nonisolated init() { super.init() }

    /// Who is asked after this one: view, its controller, superview, window, scene, app, the app's delegate.
    open var next: UIResponder? { nil }

    open var canBecomeFirstResponder: Bool { false }
    open var canResignFirstResponder: Bool { true }

    /// One responder an app is the first.
    open var isFirstResponder: Bool { AppSlot.of(CurrentPort.find()).firstResponder === self }

    /// - Returns: whether it is the first now; false if it cannot be, or the first one does not resign.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder else { return false }
        let slot = AppSlot.of(CurrentPort.find())
        if slot.firstResponder === self { return true }
        if let first = slot.firstResponder, !first.resignFirstResponder() { return false }
        slot.firstResponder = self
        return true
    }

    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard canResignFirstResponder else { return false }
        if isFirstResponder { AppSlot.of(CurrentPort.find()).firstResponder = nil }
        return true
    }
}
