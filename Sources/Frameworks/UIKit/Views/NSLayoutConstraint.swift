public import Foundation

/// A relation between two anchors. It is kept; Posthorn lays out nothing.
@preconcurrency @MainActor
open class NSLayoutConstraint: NSObject {
    open var constant: CGFloat
    open var priority = UILayoutPriority.required
    open var identifier: String?
    open private(set) weak var firstItem: AnyObject?
    open private(set) weak var secondItem: AnyObject?
    /// Whether it is in ``UIView/constraints`` of its first view.
    open var isActive = false { didSet { if isActive != oldValue { keep() } } }

    init(first: AnyObject?, second: AnyObject?, constant: CGFloat) {
        self.constant = constant
        firstItem = first
        secondItem = second
    }

    open class func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

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
    public init(_ rawValue: Float) { self.rawValue = rawValue }

    public static let required = Self(1000)
    public static let defaultHigh = Self(750)
    public static let defaultLow = Self(250)
}

/// An edge, a middle or a size of a view, from which constraints are made.
@preconcurrency @MainActor
open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    fileprivate weak var item: AnyObject?

    init(of item: AnyObject) { self.item = item }

    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { make(anchor) }
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat) -> NSLayoutConstraint {
        make(anchor, c)
    }
    open func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { make(anchor) }
    open func constraint(
        greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>,
        constant c: CGFloat
    ) -> NSLayoutConstraint { make(anchor, c) }
    open func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { make(anchor) }
    open func constraint(
        lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>,
        constant c: CGFloat
    ) -> NSLayoutConstraint {
        make(anchor, c)
    }

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
    open func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint { make(nil, c) }
    open func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint { make(nil, c) }
    open func constraint(lessThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint { make(nil, c) }
    open func constraint(equalTo anchor: NSLayoutDimension, multiplier m: CGFloat) -> NSLayoutConstraint {
        make(anchor)
    }
}

/// A rectangle of a view, without a view of its own.
@preconcurrency @MainActor
open class UILayoutGuide: NSObject {
    open internal(set) weak var owningView: UIView?
    open var identifier = ""

    public override nonisolated init() { super.init() }

    open var layoutFrame: CGRect { owningView?.bounds ?? .zero }
    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    open var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    open var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    open var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    open var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    open var widthAnchor: NSLayoutDimension { NSLayoutDimension(of: self) }
    open var heightAnchor: NSLayoutDimension { NSLayoutDimension(of: self) }
}

extension UIView {
    public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(of: self) }
    public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(of: self) }
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension(of: self) }
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

    public func addConstraint(_ constraint: NSLayoutConstraint) { constraint.isActive = true }
    public func addConstraints(_ constraints: [NSLayoutConstraint]) { NSLayoutConstraint.activate(constraints) }
}
