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
