public import Foundation

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
