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
        if isActive {
            view.constraints.append(self)
        } else {
            view.constraints.removeAll { $0 === self }
        }
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
