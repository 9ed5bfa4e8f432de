public import Foundation

/// A colour, as four numbers from 0 to 1. `@unchecked Sendable`: it is immutable.
open class UIColor: NSObject, @unchecked Sendable {
    /// The red, green, blue and alpha components.
    package let parts: [CGFloat]

    /// Creates a colour from its parts, each 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        parts = [red, green, blue, alpha]
    }

    /// Creates a colour from hue, saturation and brightness, each 0 to 1. Hues outside of 0 to 1 count as the nearer of the two.
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        let sector = min(max(hue, 0), 1) * 6
        func part(_ shift: CGFloat) -> CGFloat {
            let place = (sector + shift).truncatingRemainder(dividingBy: 6)
            return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
        }
        self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
    }

    /// The colour for a layer.
    open var cgColor: CGColor { CGColor(parts) }

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
