public import Foundation

/// The layer of a view. Its values are kept; Posthorn draws nothing. On Apple's systems it is part of QuartzCore.
@preconcurrency @MainActor
open class CALayer: NSObject {
    /// The place within the superlayer, in points.
    open var frame = CGRect.zero
    /// The colour behind the content; nil for none.
    open var backgroundColor: CGColor?
    /// The radius of the corners, in points.
    open var cornerRadius: CGFloat = 0
    /// The corners that are round.
    open var maskedCorners: CACornerMask = [
        .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
    /// Whether the content ends at the edges.
    open var masksToBounds = false
    /// The width of the border, in points.
    open var borderWidth: CGFloat = 0
    /// The colour of the border; nil for none.
    open var borderColor: CGColor?
    /// The colour of the shadow; nil for none.
    open var shadowColor: CGColor?
    /// The opacity of the shadow, 0 to 1.
    open var shadowOpacity: Float = 0
    /// The distance of the shadow, in points.
    open var shadowOffset = CGSize(width: 0, height: -3)
    /// The blur of the shadow, in points.
    open var shadowRadius: CGFloat = 3
    /// The opacity, 0 to 1.
    open var opacity: Float = 1
    /// Whether the layer is hidden.
    open var isHidden = false

    public override nonisolated init() { super.init() }
}

/// Corners of a layer. Raw values: Apple, `CACornerMask`.
public struct CACornerMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The upper left corner.
    public static let layerMinXMinYCorner = Self(rawValue: 1)
    /// The upper right corner.
    public static let layerMaxXMinYCorner = Self(rawValue: 2)
    /// The lower left corner.
    public static let layerMinXMaxYCorner = Self(rawValue: 4)
    /// The lower right corner.
    public static let layerMaxXMaxYCorner = Self(rawValue: 8)
}

/// The colour of a layer, made from a `UIColor`. On Apple's systems it is part of CoreGraphics.
public final class CGColor: Hashable, Sendable {
    /// The red, green, blue and alpha components.
    public var components: [CGFloat]? { parts }
    /// The opacity, 0 to 1.
    public var alpha: CGFloat { parts[3] }

    private let parts: [CGFloat]

    init(_ parts: [CGFloat]) { self.parts = parts }

    public static func == (left: CGColor, right: CGColor) -> Bool { left.parts == right.parts }
    public func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}
