public import Foundation
import SystemPort

/// A view in a window. It keeps its values and its place in the hierarchy; Posthorn draws nothing.
///
/// Source: Apple, `UIView`.
@preconcurrency @MainActor
open class UIView: UIResponderWithoutInit {
    /// The place within the superview, in points.
    open var frame: CGRect
    /// The colour behind the content; nil for transparent.
    open var backgroundColor: UIColor?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The colour of what can be tapped.
    open var tintColor: UIColor! = .systemBlue
    /// The opacity, 0 to 1.
    open var alpha: CGFloat = 1
    /// Whether the view, with those in it, is hidden.
    open var isHidden = false
    /// Whether the view covers all that is behind it; stored only.
    open var isOpaque = true
    /// Whether the views in it end at its edges; stored only.
    open var clipsToBounds = false
    /// Whether the view gets touches; stored only.
    open var isUserInteractionEnabled = true
    /// The layer, whose values are kept.
    open lazy var layer = CALayer()
    /// A number for the app's own use.
    open var tag = 0
    /// How the content follows a change of the size; stored only.
    open var contentMode = ContentMode.scaleToFill
    /// How the frame follows the superview's; stored only.
    open var autoresizingMask: AutoresizingMask = []
    /// Whether the frame becomes constraints; stored only.
    open var translatesAutoresizingMaskIntoConstraints = true
    /// The space that content keeps to the edges, in points.
    open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
    /// A name for tests; the emulated device does not read it.
    open var accessibilityIdentifier: String?
    /// A text for those who cannot see the view; stored only.
    open var accessibilityLabel: String?
    /// Whether the view has a text for those who cannot see it; stored only.
    open var isAccessibilityElement = false
    /// The views in it, the rearmost first.
    open private(set) var subviews: [UIView] = []
    /// The view that it is in; nil for none.
    open private(set) weak var superview: UIView?
    /// The constraints that were added to this view. They are kept; nothing is laid out.
    open internal(set) var constraints: [NSLayoutConstraint] = []
    /// Its gesture recognizers; nil for none.
    open var gestureRecognizers: [UIGestureRecognizer]?
    weak var controller: UIViewController?
    private var needsLayout = true

    /// Creates a view with a place within its superview, in points.
    public init(frame: CGRect) {
        self.frame = frame
        super.init(inside: ())
    }

    /// Creates a view as from a nib. Linux has no nibs: only an app's own archives call it.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init(inside: ())
    }

    /// Creates a view without extent.
    public convenience init() { self.init(frame: .zero) }

    /// Its own area: origin zero unless scrolled, in points.
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    /// The middle within the superview, in points.
    open var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set { frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2) }
    }

    /// The window that contains it; nil if none does.
    open var window: UIWindow? { superview?.window }

    open override var next: UIResponder? { controller ?? superview }

    // MARK: The hierarchy

    /// Adds a view in front; it leaves its old superview.
    open func addSubview(_ view: UIView) { insert(view, at: subviews.count) }

    /// Adds a view at a place of the order.
    open func insertSubview(_ view: UIView, at index: Int) { insert(view, at: index) }

    /// Adds a view behind another.
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insert(view, at: place(of: siblingSubview) ?? subviews.count)
    }

    /// Adds a view in front of another.
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        insert(view, at: place(of: siblingSubview).map { $0 + 1 } ?? subviews.count)
    }

    /// Moves a view in front of the others.
    open func bringSubviewToFront(_ view: UIView) {
        guard let place = place(of: view) else { return }
        subviews.append(subviews.remove(at: place))
    }

    /// Moves a view behind the others.
    open func sendSubviewToBack(_ view: UIView) {
        guard let place = place(of: view) else { return }
        subviews.insert(subviews.remove(at: place), at: 0)
    }

    /// Leaves the superview.
    open func removeFromSuperview() {
        guard let superview else { return }
        move(to: nil) {
            superview.willRemoveSubview(self)
            superview.subviews.removeAll { $0 === self }
            self.superview = nil
        }
    }

    /// Returns whether it is in `view`, at any depth, or is that view.
    open func isDescendant(of view: UIView) -> Bool { sequence(first: self) { $0.superview }.contains { $0 === view } }

    /// Returns itself or the first view below with this tag; nil if there is none.
    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        return subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
    }

    /// A view was added. Does nothing, unless overridden.
    open func didAddSubview(_ subview: UIView) {}
    /// A view is about to leave. Does nothing, unless overridden.
    open func willRemoveSubview(_ subview: UIView) {}
    /// It is about to get another superview. Does nothing, unless overridden.
    open func willMove(toSuperview newSuperview: UIView?) {}
    /// It has got another superview. Does nothing, unless overridden.
    open func didMoveToSuperview() {}
    /// It is about to get into another window. Does nothing, unless overridden.
    open func willMove(toWindow newWindow: UIWindow?) {}
    /// It has got into another window. Does nothing, unless overridden.
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

    /// Asks for a layout at the next ``layoutIfNeeded()``.
    open func setNeedsLayout() { needsLayout = true }

    /// Calls `layoutSubviews()` if a layout was asked for.
    open func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            layoutSubviews()
        }
        for view in subviews { view.layoutIfNeeded() }
    }

    /// Does nothing: nothing is drawn.
    open func setNeedsDisplay() {}

    /// Called on views from a nib; on none here.
    open func awakeFromNib() {}
    /// Does nothing: nothing has a size of its own.
    open func sizeToFit() {}

    /// Adds a gesture recognizer, which leaves its old view.
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
        gestureRecognizer.attach(to: self)
    }

    /// Removes a gesture recognizer.
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
