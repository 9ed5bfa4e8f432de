public import Foundation
import SystemPort
public import UserNotifications

/// The base class of app delegates, views and view controllers.
@preconcurrency @MainActor
open class UIResponder: NSObject, UIUserActivityRestoring {
    /// The activity of the user that the object supports. It is saved when its `needsSave` is set and the app leaves the foreground.
    open var userActivity: NSUserActivity? {
        didSet {
            guard userActivity != nil, let port = CurrentPort.known else { return }
            let slot = AppSlot.of(port)
            slot.activityOwners.removeAll { $0.value == nil || $0.value === self }
            slot.activityOwners.append(ActivityOwner(value: self))
        }
    }

    /// Updates the activity, which is about to be saved.
    open func updateUserActivityState(_ activity: NSUserActivity) {}
    open func restoreUserActivityState(_ userActivity: NSUserActivity) {}

    /// A finger touches the view; never called here, like the three below: nobody touches views.
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// A finger moves.
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// A finger leaves the screen.
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// The system ends a touch.
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Nonisolated like `NSObject`'s own.
    public override nonisolated init() { super.init() }

    /// The next responder: view, its controller, superview, window, scene, app, the app's delegate.
    open var next: UIResponder? { nil }

    /// Whether it can get the keyboard; false unless overridden.
    open var canBecomeFirstResponder: Bool { false }
    /// Whether it can give up the keyboard; true unless overridden.
    open var canResignFirstResponder: Bool { true }

    /// Whether this is the app's only first responder.
    open var isFirstResponder: Bool { AppSlot.current.firstResponder === self }

    /// - Returns: whether it is the first responder now; false if it cannot be, or the current one does not resign.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder else { return false }
        let slot = AppSlot.current
        if slot.firstResponder === self { return true }
        if let first = slot.firstResponder, !first.resignFirstResponder() { return false }
        slot.firstResponder = self
        return true
    }

    /// Gives up the keyboard, and returns whether it has.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard canResignFirstResponder else { return false }
        if isFirstResponder { AppSlot.current.firstResponder = nil }
        return true
    }
}

/// The base class of views and view controllers, whose designated initialisers are Apple's instead of `init()`.
///
/// Apple's SDK has no such class. It separates their `init()`, which runs on the main actor, from `NSObject`'s, which does not.
@preconcurrency @MainActor
open class UIResponderWithoutInit: UIResponder {
    /// For UIKit alone. Public, because a class in another module inherits the convenience initialisers of its superclass only if
    /// all designated ones above are public.
    public nonisolated init(inside: Void) { super.init() }

    /// The style that the app chooses for the view or controller and what is in it.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified

    /// The traits: those of the device, with the nearest chosen style of the responders above.
    open var traitCollection: UITraitCollection {
        var style = UIUserInterfaceStyle.light
        var responder: UIResponder? = self
        while let current = responder {
            if let chosen = (current as? UIResponderWithoutInit)?.overrideUserInterfaceStyle, chosen != .unspecified {
                style = chosen
                break
            }
            responder = current.next
        }
        return UITraitCollection(userInterfaceStyle: style)
    }

    /// The traits have changed; never called here.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
}
