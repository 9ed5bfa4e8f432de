public import Foundation

/// A colour, as four numbers from 0 to 1. `@unchecked Sendable`: it is immutable.
open class UIColor: NSObject, @unchecked Sendable {
    /// The red, green, blue and alpha components.
    package let parts: [CGFloat]

    /// Creates a colour from its parts, each 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { parts = [red, green, blue, alpha] }

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

// The system's colours, as on a phone in the light appearance. Source: Apple, Human Interface Guidelines, "Color", and `UIColor`,
// "Standard colors" and "UI element colors".

extension UIColor {
    /// Creates a colour of the app's asset catalogue: nil, because catalogues cannot be read.
    public convenience init?(named name: String) { nil }

    /// Creates a colour for the light appearance, the only one of the device.
    public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        let parts = dynamicProvider(UITraitCollection(userInterfaceStyle: .light)).parts
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }

    /// Creates a colour from red, green and blue of eight bits each.
    private convenience init(_ code: Int, alpha: CGFloat = 1) {
        func part(_ shift: Int) -> CGFloat { CGFloat(code >> shift & 0xFF) / 255 }
        self.init(red: part(16), green: part(8), blue: part(0), alpha: alpha)
    }

    /// Returns the colour with another opacity, 0 to 1.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
    }

    /// The colour dark grey.
    public class var darkGray: UIColor { UIColor(white: 1.0 / 3, alpha: 1) }
    /// The colour light grey.
    public class var lightGray: UIColor { UIColor(white: 2.0 / 3, alpha: 1) }
    /// The colour cyan.
    public class var cyan: UIColor { UIColor(0x00_FFFF) }
    /// The colour yellow.
    public class var yellow: UIColor { UIColor(0xFF_FF00) }
    /// The colour magenta.
    public class var magenta: UIColor { UIColor(0xFF_00FF) }
    /// The colour orange.
    public class var orange: UIColor { UIColor(red: 1, green: 0.5, blue: 0, alpha: 1) }
    /// The colour purple.
    public class var purple: UIColor { UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1) }
    /// The colour brown.
    public class var brown: UIColor { UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1) }

    /// The system's red, in the light appearance: `#FF3B30`.
    public class var systemRed: UIColor { UIColor(0xFF_3B30) }
    /// The system's orange, in the light appearance: `#FF9500`.
    public class var systemOrange: UIColor { UIColor(0xFF_9500) }
    /// The system's yellow, in the light appearance: `#FFCC00`.
    public class var systemYellow: UIColor { UIColor(0xFF_CC00) }
    /// The system's green, in the light appearance: `#34C759`.
    public class var systemGreen: UIColor { UIColor(0x34_C759) }
    /// The system's mint, in the light appearance: `#00C7BE`.
    public class var systemMint: UIColor { UIColor(0x00_C7BE) }
    /// The system's teal, in the light appearance: `#30B0C7`.
    public class var systemTeal: UIColor { UIColor(0x30_B0C7) }
    /// The system's cyan, in the light appearance: `#32ADE6`.
    public class var systemCyan: UIColor { UIColor(0x32_ADE6) }
    /// The system's blue, in the light appearance: `#007AFF`.
    public class var systemBlue: UIColor { UIColor(0x00_7AFF) }
    /// The system's indigo, in the light appearance: `#5856D6`.
    public class var systemIndigo: UIColor { UIColor(0x58_56D6) }
    /// The system's purple, in the light appearance: `#AF52DE`.
    public class var systemPurple: UIColor { UIColor(0xAF_52DE) }
    /// The system's pink, in the light appearance: `#FF2D55`.
    public class var systemPink: UIColor { UIColor(0xFF_2D55) }
    /// The system's brown, in the light appearance: `#A2845E`.
    public class var systemBrown: UIColor { UIColor(0xA2_845E) }
    /// The system's grey, in the light appearance: `#8E8E93`.
    public class var systemGray: UIColor { UIColor(0x8E_8E93) }
    /// The system's grey2, in the light appearance: `#AEAEB2`.
    public class var systemGray2: UIColor { UIColor(0xAE_AEB2) }
    /// The system's grey3, in the light appearance: `#C7C7CC`.
    public class var systemGray3: UIColor { UIColor(0xC7_C7CC) }
    /// The system's grey4, in the light appearance: `#D1D1D6`.
    public class var systemGray4: UIColor { UIColor(0xD1_D1D6) }
    /// The system's grey5, in the light appearance: `#E5E5EA`.
    public class var systemGray5: UIColor { UIColor(0xE5_E5EA) }
    /// The system's grey6, in the light appearance: `#F2F2F7`.
    public class var systemGray6: UIColor { UIColor(0xF2_F2F7) }

    /// The colour of text.
    public class var label: UIColor { .black }
    /// The colour of less important text.
    public class var secondaryLabel: UIColor { UIColor(0x3C_3C43, alpha: 0.6) }
    /// The colour of still less important text.
    public class var tertiaryLabel: UIColor { UIColor(0x3C_3C43, alpha: 0.3) }
    /// The colour of the least important text.
    public class var quaternaryLabel: UIColor { UIColor(0x3C_3C43, alpha: 0.18) }
    /// The colour of the text in empty fields.
    public class var placeholderText: UIColor { UIColor(0x3C_3C43, alpha: 0.3) }
    /// The colour of lines between content.
    public class var separator: UIColor { UIColor(0x3C_3C43, alpha: 0.29) }
    /// The colour of links.
    public class var link: UIColor { .systemBlue }
    /// The colour of what can be tapped.
    public class var tintColor: UIColor { .systemBlue }
    /// The colour behind everything.
    public class var systemBackground: UIColor { .white }
    /// The colour behind groups of content.
    public class var secondarySystemBackground: UIColor { .systemGray6 }
    /// The colour behind groups within groups.
    public class var tertiarySystemBackground: UIColor { .white }
    /// The colour behind grouped tables.
    public class var systemGroupedBackground: UIColor { .systemGray6 }
    /// The colour behind the groups of grouped tables.
    public class var secondarySystemGroupedBackground: UIColor { .white }
    /// The colour of thin shapes.
    public class var systemFill: UIColor { UIColor(0x78_7880, alpha: 0.2) }
}
