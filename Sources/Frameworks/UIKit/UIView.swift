public import Foundation

/// A view in a window. A value for app code to hold: Posthorn draws nothing.
open class UIView: UIResponder {
    open var frame = CGRect.zero
    open var backgroundColor: UIColor?
    open var alpha: CGFloat = 1
    open var isHidden = false
    open var tag = 0
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    weak var controller: UIViewController?

    public override nonisolated init() { super.init() }

    public convenience init(frame: CGRect) {
        self.init()
        self.frame = frame
    }

    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

    /// The window that contains it; nil if none does.
    open var window: UIWindow? { superview?.window }

    open override var next: UIResponder? { controller ?? superview }

    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        view.superview = self
        subviews.append(view)
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }
}
