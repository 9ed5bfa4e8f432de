public import Foundation

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
