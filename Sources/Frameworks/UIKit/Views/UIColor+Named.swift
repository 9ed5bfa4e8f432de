public import Foundation

// The system's colours, as on a phone in the light appearance. Source: Apple, Human Interface Guidelines, "Color", and `UIColor`,
// "Standard colors" and "UI element colors".

extension UIColor {
    /// Creates a colour of the app's asset catalogue: nil, because catalogues cannot be read.
    public convenience init?(named name: String) { nil }

    /// Creates a colour for the light appearance, the only one of the device.
    public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        let parts = dynamicProvider(UITraitCollection()).parts
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }

    /// - Parameters:
    ///   - code: red, green and blue, of eight bits each.
    ///   - alpha: the opacity.
    private convenience init(_ code: Int, alpha: CGFloat = 1) {
        func part(_ shift: Int) -> CGFloat { CGFloat(code >> shift & 0xFF) / 255 }
        self.init(red: part(16), green: part(8), blue: part(0), alpha: alpha)
    }

    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
    }

    public class var darkGray: UIColor { UIColor(white: 1.0 / 3, alpha: 1) }
    public class var lightGray: UIColor { UIColor(white: 2.0 / 3, alpha: 1) }
    public class var cyan: UIColor { UIColor(0x00_FFFF) }
    public class var yellow: UIColor { UIColor(0xFF_FF00) }
    public class var magenta: UIColor { UIColor(0xFF_00FF) }
    public class var orange: UIColor { UIColor(red: 1, green: 0.5, blue: 0, alpha: 1) }
    public class var purple: UIColor { UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1) }
    public class var brown: UIColor { UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1) }

    public class var systemRed: UIColor { UIColor(0xFF_3B30) }
    public class var systemOrange: UIColor { UIColor(0xFF_9500) }
    public class var systemYellow: UIColor { UIColor(0xFF_CC00) }
    public class var systemGreen: UIColor { UIColor(0x34_C759) }
    public class var systemMint: UIColor { UIColor(0x00_C7BE) }
    public class var systemTeal: UIColor { UIColor(0x30_B0C7) }
    public class var systemCyan: UIColor { UIColor(0x32_ADE6) }
    public class var systemBlue: UIColor { UIColor(0x00_7AFF) }
    public class var systemIndigo: UIColor { UIColor(0x58_56D6) }
    public class var systemPurple: UIColor { UIColor(0xAF_52DE) }
    public class var systemPink: UIColor { UIColor(0xFF_2D55) }
    public class var systemBrown: UIColor { UIColor(0xA2_845E) }
    public class var systemGray: UIColor { UIColor(0x8E_8E93) }
    public class var systemGray2: UIColor { UIColor(0xAE_AEB2) }
    public class var systemGray3: UIColor { UIColor(0xC7_C7CC) }
    public class var systemGray4: UIColor { UIColor(0xD1_D1D6) }
    public class var systemGray5: UIColor { UIColor(0xE5_E5EA) }
    public class var systemGray6: UIColor { UIColor(0xF2_F2F7) }

    public class var label: UIColor { .black }
    public class var secondaryLabel: UIColor { UIColor(0x3C_3C43, alpha: 0.6) }
    public class var tertiaryLabel: UIColor { UIColor(0x3C_3C43, alpha: 0.3) }
    public class var quaternaryLabel: UIColor { UIColor(0x3C_3C43, alpha: 0.18) }
    public class var placeholderText: UIColor { UIColor(0x3C_3C43, alpha: 0.3) }
    public class var separator: UIColor { UIColor(0x3C_3C43, alpha: 0.29) }
    public class var link: UIColor { .systemBlue }
    public class var tintColor: UIColor { .systemBlue }
    public class var systemBackground: UIColor { .white }
    public class var secondarySystemBackground: UIColor { .systemGray6 }
    public class var tertiarySystemBackground: UIColor { .white }
    public class var systemGroupedBackground: UIColor { .systemGray6 }
    public class var secondarySystemGroupedBackground: UIColor { .white }
    public class var systemFill: UIColor { UIColor(0x78_7880, alpha: 0.2) }
}

/// The environment of an interface: a phone in the light appearance.
open class UITraitCollection: NSObject {
    open var userInterfaceStyle: UIUserInterfaceStyle { .light }
}

/// The appearance of an interface. Raw values: Apple, `UIUserInterfaceStyle`.
public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified = 0
    case light = 1
    case dark = 2
}
