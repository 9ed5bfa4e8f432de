public import Foundation

/// A finger on the screen. Nobody touches it: the system creates none here.
@preconcurrency @MainActor
open class UITouch: NSObject {
    /// The touched view; nil for none.
    open var view: UIView? { nil }
    /// The number of taps in a row.
    open var tapCount: Int { 1 }

    public override nonisolated init() { super.init() }

    /// Returns zero: nobody touches views.
    open func location(in view: UIView?) -> CGPoint { .zero }
}

/// An event with touches. The system creates none here.
@preconcurrency @MainActor
open class UIEvent: NSObject {
    /// The touches of the event.
    open var allTouches: Set<UITouch>? { nil }

    public override nonisolated init() { super.init() }
}
