public import Foundation

/// The distances of an inset from each edge.
public struct UIEdgeInsets: Hashable, Sendable {
    /// The space above, in points.
    public var top: CGFloat
    /// The space at the left, in points.
    public var left: CGFloat
    /// The space below, in points.
    public var bottom: CGFloat
    /// The space at the right, in points.
    public var right: CGFloat

    /// Creates insets without space.
    public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }

    /// Creates insets, in points.
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// No space.
    public static let zero = UIEdgeInsets()
}
