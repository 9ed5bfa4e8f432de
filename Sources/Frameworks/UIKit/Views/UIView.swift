public import Foundation
import SystemPort

/// A view in a window. It keeps its values and its place in the hierarchy; Posthorn draws nothing.
///
/// Source: Apple, `UIView`.
@preconcurrency @MainActor
open class UIView: UIResponderWithoutInit {
    open var frame: CGRect
    open var backgroundColor: UIColor?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tintColor: UIColor! = .systemBlue
    open var alpha: CGFloat = 1
    open var isHidden = false
    open var isOpaque = true
    open var clipsToBounds = false
    open var isUserInteractionEnabled = true
    open var tag = 0
    open var contentMode = ContentMode.scaleToFill
    open var autoresizingMask: AutoresizingMask = []
    open var translatesAutoresizingMaskIntoConstraints = true
    open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
    open var accessibilityIdentifier: String?
    open var accessibilityLabel: String?
    open var isAccessibilityElement = false
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    /// The constraints that were added to this view. They are kept; nothing is laid out.
    open internal(set) var constraints: [NSLayoutConstraint] = []
    open var gestureRecognizers: [UIGestureRecognizer]?
    weak var controller: UIViewController?
    private var needsLayout = true

    public init(frame: CGRect) {
        self.frame = frame
        super.init(inside: ())
    }

    /// Creates a view as from a nib. Linux has no nibs: only an app's own archives call it.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init(inside: ())
    }

    public convenience init() { self.init(frame: .zero) }

    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    open var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set { frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2) }
    }

    /// The window that contains it; nil if none does.
    open var window: UIWindow? { superview?.window }

    open override var next: UIResponder? { controller ?? superview }

    // MARK: The hierarchy

    open func addSubview(_ view: UIView) { insert(view, at: subviews.count) }

    open func insertSubview(_ view: UIView, at index: Int) { insert(view, at: index) }

    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insert(view, at: place(of: siblingSubview) ?? subviews.count)
    }

    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        insert(view, at: place(of: siblingSubview).map { $0 + 1 } ?? subviews.count)
    }

    open func bringSubviewToFront(_ view: UIView) {
        guard let place = place(of: view) else { return }
        subviews.append(subviews.remove(at: place))
    }

    open func sendSubviewToBack(_ view: UIView) {
        guard let place = place(of: view) else { return }
        subviews.insert(subviews.remove(at: place), at: 0)
    }

    open func removeFromSuperview() {
        guard let superview else { return }
        move(to: nil) {
            superview.willRemoveSubview(self)
            superview.subviews.removeAll { $0 === self }
            self.superview = nil
        }
    }

    open func isDescendant(of view: UIView) -> Bool {
        sequence(first: self) { $0.superview }.contains { $0 === view }
    }

    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        return subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
    }

    open func didAddSubview(_ subview: UIView) {}
    open func willRemoveSubview(_ subview: UIView) {}
    open func willMove(toSuperview newSuperview: UIView?) {}
    open func didMoveToSuperview() {}
    open func willMove(toWindow newWindow: UIWindow?) {}
    open func didMoveToWindow() {}

    private func place(of view: UIView) -> Int? { subviews.firstIndex { $0 === view } }

    private func insert(_ view: UIView, at index: Int) {
        guard view !== self, !isDescendant(of: view) else {
            return RaisedException.raise("Can't add self as subview", name: "NSInvalidArgumentException")
        }
        view.move(to: self) {
            view.superview?.subviews.removeAll { $0 === view }
            view.superview = self
            subviews.insert(view, at: min(index, subviews.count))
        }
        didAddSubview(view)
    }

    /// Moves the view with the calls that its class can override, and makes the controllers in it appear or disappear.
    private func move(to newSuperview: UIView?, _ change: () -> Void) {
        let old = window
        let new = newSuperview?.window
        willMove(toSuperview: newSuperview)
        if old !== new { forAll { $0.willMove(toWindow: new) } }
        change()
        didMoveToSuperview()
        guard old !== new else { return }
        forAll { $0.didMoveToWindow() }
        for controller in controllers { controller.viewChangedWindow() }
    }

    private func forAll(_ body: (UIView) -> Void) {
        body(self)
        for view in subviews { view.forAll(body) }
    }

    /// The uppermost view controllers of the views in this one. Each makes its own children appear.
    private var controllers: [UIViewController] {
        if let controller { return [controller] }
        return subviews.flatMap(\.controllers)
    }

    // MARK: Layout and gestures

    /// Lays out the subviews. The default does nothing, because Posthorn solves no constraints.
    open func layoutSubviews() {}

    open func setNeedsLayout() { needsLayout = true }

    open func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            layoutSubviews()
        }
        for view in subviews { view.layoutIfNeeded() }
    }

    open func setNeedsDisplay() {}

    /// Called on views from a nib; on none here.
    open func awakeFromNib() {}
    open func sizeToFit() {}

    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
        gestureRecognizer.attach(to: self)
    }

    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view === self else { return }
        gestureRecognizers?.removeAll { $0 === gestureRecognizer }
        gestureRecognizer.attach(to: nil)
    }

    /// Ends text input in the view.
    ///
    /// - Returns: whether the view or one of its subviews is no longer the first responder.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        if isFirstResponder { return resignFirstResponder() }
        return subviews.contains { $0.endEditing(force) }
    }
}
