public import Foundation

/// A colour, as four numbers from 0 to 1. `@unchecked Sendable`: it is immutable.
open class UIColor: NSObject, @unchecked Sendable {
    /// The red, green, blue and alpha components.
    package let parts: [CGFloat]

    /// Creates a colour from its parts, each 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        parts = [red, green, blue, alpha]
    }

    /// Creates a grey: 0 is black, 1 is white.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// The colour black.
    open class var black: UIColor { UIColor(white: 0, alpha: 1) }
    /// The colour white.
    open class var white: UIColor { UIColor(white: 1, alpha: 1) }
    /// The colour grey.
    open class var gray: UIColor { UIColor(white: 0.5, alpha: 1) }
    /// No colour: transparent.
    open class var clear: UIColor { UIColor(white: 0, alpha: 0) }
    /// The colour red.
    open class var red: UIColor { UIColor(red: 1, green: 0, blue: 0, alpha: 1) }
    /// The colour green.
    open class var green: UIColor { UIColor(red: 0, green: 1, blue: 0, alpha: 1) }
    /// The colour blue.
    open class var blue: UIColor { UIColor(red: 0, green: 0, blue: 1, alpha: 1) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.parts == parts }
    open override var hash: Int { parts.hashValue }
}
