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
    /// The layers within it, the last one in front; nil for none.
    open private(set) var sublayers: [CALayer]?
    /// The layer that it is in; nil for none.
    open private(set) weak var superlayer: CALayer?

    public override nonisolated init() { super.init() }

    /// Puts a layer in front of the others.
    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32.max) }

    /// Puts a layer at a place among the others, 0 for behind all of them.
    open func insertSublayer(_ layer: CALayer, at idx: UInt32) {
        layer.removeFromSuperlayer()
        var layers = sublayers ?? []
        layers.insert(layer, at: min(Int(idx), layers.count))
        sublayers = layers
        layer.superlayer = self
    }

    /// Takes the layer out of the one that it is in.
    open func removeFromSuperlayer() {
        let others = superlayer?.sublayers?.filter { $0 !== self } ?? []
        superlayer?.sublayers = others.isEmpty ? nil : others
        superlayer = nil
    }
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
