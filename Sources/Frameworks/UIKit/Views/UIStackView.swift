public import Foundation

/// A row or a column of views. It keeps them; Posthorn lays out nothing.
///
/// Source: Apple, `UIStackView`.
@preconcurrency @MainActor
open class UIStackView: UIView {
    /// The sizes of the views along the axis. Raw values: Apple, `UIStackViewDistribution`.
    public enum Distribution: Int, Sendable {
        /// As large as there is space, all of the same size, and growing by their own sizes; stored only, like all distributions.
        case fill, fillEqually, fillProportionally
        /// Equal spaces between views, and equal distances between their middles.
        case equalSpacing, equalCentering
    }

    /// The places of the views across the axis. Raw values: Apple, `UIStackViewAlignment`.
    public enum Alignment: Int, Sendable {
        /// Over the whole breadth; stored only, like all alignments.
        case fill
        /// At the edge where text begins, at its first line, in the middle, at the edge where text ends, and at its last line.
        case leading, firstBaseline, center, trailing, lastBaseline

        /// At the upper edge, in a row.
        public static var top: Self { .leading }
        /// At the lower edge, in a row.
        public static var bottom: Self { .trailing }
    }

    /// The views that are arranged, in their order.
    open private(set) var arrangedSubviews: [UIView] = []
    /// Whether it is a row or a column; stored only.
    open var axis = NSLayoutConstraint.Axis.horizontal
    /// How space is shared; stored only.
    open var distribution = Distribution.fill
    /// How views are aligned across; stored only.
    open var alignment = Alignment.fill
    /// The space between views, in points; stored only.
    open var spacing: CGFloat = 0
    /// Whether the margins stay free; stored only.
    open var isLayoutMarginsRelativeArrangement = false

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init(coder: NSCoder) { super.init(frame: .zero) }

    /// Creates a view that arranges others.
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    /// Adds a view at the end.
    open func addArrangedSubview(_ view: UIView) { insertArrangedSubview(view, at: arrangedSubviews.count) }

    /// Adds a view at a place of the order.
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.insert(view, at: min(stackIndex, arrangedSubviews.count))
        if view.superview !== self { addSubview(view) }
    }

    /// Removes a view from the arrangement; it stays a subview.
    open func removeArrangedSubview(_ view: UIView) { arrangedSubviews.removeAll { $0 === view } }

    open override func willRemoveSubview(_ subview: UIView) {
        super.willRemoveSubview(subview)
        removeArrangedSubview(subview)
    }

    /// Does nothing: nothing is laid out.
    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {}
}

extension NSLayoutConstraint {
    /// A direction. Raw values: Apple, `UILayoutConstraintAxis`.
    public enum Axis: Int, Sendable {
        /// A row.
        case horizontal = 0
        /// A column.
        case vertical = 1
    }
}
