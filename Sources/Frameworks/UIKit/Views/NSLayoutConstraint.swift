public import Foundation

/// A relation between two anchors. It is kept; Posthorn lays out nothing.
@preconcurrency @MainActor
open class NSLayoutConstraint: NSObject {
    /// The distance or size, in points.
    open var constant: CGFloat
    /// The priority against other constraints; stored only.
    open var priority = UILayoutPriority.required
    /// A name for the app's own use.
    open var identifier: String?
    /// The view or guide on the left side of the relation.
    open private(set) weak var firstItem: AnyObject?
    /// The view or guide on the right side; nil for a fixed size.
    open private(set) weak var secondItem: AnyObject?
    /// Whether it is in ``UIView/constraints`` of its first view.
    open var isActive = false { didSet { if isActive != oldValue { keep() } } }

    init(first: AnyObject?, second: AnyObject?, constant: CGFloat) {
        self.constant = constant
        firstItem = first
        secondItem = second
    }

    /// Activates constraints; they are stored by their views, and lay out nothing.
    open class func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

    /// Removes constraints from their views.
    open class func deactivate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = false }
    }

    private func keep() {
        guard let view = firstItem as? UIView ?? (firstItem as? UILayoutGuide)?.owningView else { return }
        if isActive { view.constraints.append(self) } else { view.constraints.removeAll { $0 === self } }
    }
}

/// The weight of a constraint.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    public let rawValue: Float
    public init(rawValue: Float) { self.rawValue = rawValue }
    /// Creates a priority, 1 to 1000.
    public init(_ rawValue: Float) { self.rawValue = rawValue }

    /// It has to be fulfilled.
    public static let required = Self(1000)
    /// How strongly a button keeps its size.
    public static let defaultHigh = Self(750)
    /// How strongly a button resists growing.
    public static let defaultLow = Self(250)
}

/// An edge, a middle or a size of a view, from which constraints are made.
@preconcurrency @MainActor
open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    fileprivate weak var item: AnyObject?

    init(of item: AnyObject) { self.item = item }

    /// Returns an inactive constraint: this anchor is where the other one is, in points apart if said.
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { make(anchor) }
    /// Returns an inactive constraint: this anchor is where the other one is, in points apart if said.
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat) -> NSLayoutConstraint {
        make(anchor, c)
    }
    /// Returns an inactive constraint: this anchor is at the other one, or beyond.
    open func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { make(anchor) }
    /// Returns an inactive constraint: this anchor is at the other one, or beyond.
    open func constraint(
        greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>,
        constant c: CGFloat
    ) -> NSLayoutConstraint { make(anchor, c) }
    /// Returns an inactive constraint: this anchor is at the other one, or before it.
    open func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { make(anchor) }
    /// Returns an inactive constraint: this anchor is at the other one, or before it.
    open func constraint(
        lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>,
        constant c: CGFloat
    ) -> NSLayoutConstraint { make(anchor, c) }

    fileprivate func make(_ anchor: NSLayoutAnchor<AnchorType>?, _ constant: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(first: item, second: anchor?.item, constant: constant)
    }
}

/// A horizontal anchor.
@preconcurrency @MainActor
open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

/// A vertical anchor.
@preconcurrency @MainActor
open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

/// The anchor of a width or a height.
@preconcurrency @MainActor
open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    /// Returns an inactive constraint for a size in points.
    open func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint { make(nil, c) }
    /// Returns an inactive constraint for a least size in points.
    open func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint { make(nil, c) }
    /// Returns an inactive constraint for a greatest size in points.
    open func constraint(lessThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint { make(nil, c) }
    /// Returns an inactive constraint for a multiple of another size.
    open func constraint(equalTo anchor: NSLayoutDimension, multiplier m: CGFloat) -> NSLayoutConstraint {
        make(anchor)
    }
}

/// A rectangle of a view, without a view of its own.
@preconcurrency @MainActor
open class UILayoutGuide: NSObject {
    /// The view of the guide; nil for none.
    open internal(set) weak var owningView: UIView?
    /// A name for the app's own use.
    open var identifier = ""

    public override nonisolated init() { super.init() }

    /// The area of the guide: here the bounds of its view.
    open var layoutFrame: CGRect { owningView?.bounds ?? .zero }
    /// The upper edge, for constraints.
    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    /// The lower edge, for constraints.
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    /// The middle, vertically, for constraints.
    open var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    /// The edge where text begins, for constraints.
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The edge where text ends, for constraints.
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The left edge, for constraints.
    open var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The right edge, for constraints.
    open var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The middle, horizontally, for constraints.
    open var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The width, for constraints.
    open var widthAnchor: NSLayoutDimension { NSLayoutDimension(of: self) }
    /// The height, for constraints.
    open var heightAnchor: NSLayoutDimension { NSLayoutDimension(of: self) }
}

extension UIView {
    /// The upper edge, for constraints.
    public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    /// The lower edge, for constraints.
    public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    /// The middle, vertically, for constraints.
    public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    /// The edge where text begins, for constraints.
    public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The edge where text ends, for constraints.
    public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The left edge, for constraints.
    public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The right edge, for constraints.
    public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The middle, horizontally, for constraints.
    public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    /// The width, for constraints.
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension(of: self) }
    /// The height, for constraints.
    public var heightAnchor: NSLayoutDimension { NSLayoutDimension(of: self) }

    /// The area without bars and the home indicator: here the whole view.
    public var safeAreaLayoutGuide: UILayoutGuide { guide }
    /// The area within the margins: here the whole view.
    public var layoutMarginsGuide: UILayoutGuide { guide }

    private var guide: UILayoutGuide {
        let guide = UILayoutGuide()
        guide.owningView = self
        return guide
    }

    /// Activates a constraint.
    public func addConstraint(_ constraint: NSLayoutConstraint) { constraint.isActive = true }
    /// Activates constraints.
    public func addConstraints(_ constraints: [NSLayoutConstraint]) { NSLayoutConstraint.activate(constraints) }
}
