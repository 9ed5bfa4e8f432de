/// The base class of views and view controllers, whose designated initialisers are Apple's instead of `init()`.
///
/// Apple's SDK has no such class. It separates their `init()`, which runs on the main actor, from `NSObject`'s, which does not.
@preconcurrency @MainActor
open class UIResponderWithoutInit: UIResponder {
    /// For UIKit alone. Public, because a class in another module inherits the convenience initialisers of its superclass only if
    /// all designated ones above are public.
    public nonisolated init(inside: Void) { super.init() }
}
