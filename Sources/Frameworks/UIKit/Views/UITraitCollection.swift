public import Foundation

/// The light or dark style. Raw values: Apple, `UIUserInterfaceStyle`.
public enum UIUserInterfaceStyle: Int, Sendable {
    /// No choice; light, as the emulated device is; and dark.
    case unspecified, light, dark
}

/// The room in one direction. Raw values: Apple, `UIUserInterfaceSizeClass`.
public enum UIUserInterfaceSizeClass: Int, Sendable {
    /// Not known, little room, and much room.
    case unspecified, compact, regular
}

/// A text size of the user's.
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not known.
    public static let unspecified = Self(rawValue: "_UICTContentSizeCategoryUnspecified")
    /// The smallest size.
    public static let extraSmall = Self(rawValue: "UICTContentSizeCategoryXS")
    /// Small.
    public static let small = Self(rawValue: "UICTContentSizeCategoryS")
    /// Medium.
    public static let medium = Self(rawValue: "UICTContentSizeCategoryM")
    /// The size at first, and that of the emulated device.
    public static let large = Self(rawValue: "UICTContentSizeCategoryL")
    /// Larger.
    public static let extraLarge = Self(rawValue: "UICTContentSizeCategoryXL")
    /// Larger again.
    public static let extraExtraLarge = Self(rawValue: "UICTContentSizeCategoryXXL")
    /// The largest size without accessibility sizes.
    public static let extraExtraExtraLarge = Self(rawValue: "UICTContentSizeCategoryXXXL")

    /// Posted when the user chooses another size; never here.
    public static let didChangeNotification = NSNotification.Name("UIContentSizeCategoryDidChangeNotification")
}

/// The traits of a view's surroundings: those of an upright iPhone. `@unchecked Sendable`: it is immutable.
open class UITraitCollection: NSObject, @unchecked Sendable {
    /// The light or dark style.
    open var userInterfaceStyle: UIUserInterfaceStyle { style }
    /// The kind of device: a phone.
    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    /// The room from left to right: little.
    open var horizontalSizeClass: UIUserInterfaceSizeClass { .compact }
    /// The room from top to bottom: much.
    open var verticalSizeClass: UIUserInterfaceSizeClass { .regular }
    /// The pixels of a point.
    open var displayScale: CGFloat { 3 }
    /// The user's text size.
    open var preferredContentSizeCategory: UIContentSizeCategory { .large }

    private let style: UIUserInterfaceStyle

    /// Creates the traits of the device in a style.
    public init(userInterfaceStyle: UIUserInterfaceStyle) { style = userInterfaceStyle }

    /// Creates traits without a style.
    public override convenience init() { self.init(userInterfaceStyle: .unspecified) }

    /// Whether a change of the traits changes colours.
    open func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool {
        style != traitCollection?.userInterfaceStyle
    }
}
