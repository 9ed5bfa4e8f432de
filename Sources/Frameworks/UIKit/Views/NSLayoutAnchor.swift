public import Foundation

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
