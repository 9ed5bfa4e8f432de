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
