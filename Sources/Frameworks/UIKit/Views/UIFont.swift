public import Foundation

/// A font, as a name and a size. `@unchecked Sendable`: it is immutable.
///
/// Source: Apple, `UIFont`.
open class UIFont: NSObject, @unchecked Sendable {
    /// The name of the font.
    public let fontName: String
    /// The size, in points.
    public let pointSize: CGFloat

    private init(_ fontName: String, size: CGFloat) {
        self.fontName = fontName
        pointSize = size
    }

    /// Creates a font with any name: Posthorn has no fonts to look in.
    public convenience init?(name fontName: String, size fontSize: CGFloat) { self.init(fontName, size: fontSize) }

    /// Returns the system's font.
    open class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(".SFUI-Regular", size: fontSize) }
    /// Returns the system's font in bold.
    open class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(".SFUI-Semibold", size: fontSize) }
    /// Returns the system's font in italics.
    open class func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(".SFUI-RegularItalic", size: fontSize)
    }

    /// Returns the system's font in a weight.
    open class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(".SFUI-\(weight.name)", size: fontSize)
    }

    /// Returns the font of a text style in the default size. Sizes: Apple, Human Interface Guidelines, "Typography", Large.
    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(style == .headline ? ".SFUI-Semibold" : ".SFUI-Regular", size: style.size)
    }

    /// The usual size: 14 points.
    open class var systemFontSize: CGFloat { 14 }
    /// The size of labels: 17 points.
    open class var labelFontSize: CGFloat { 17 }

    /// Returns the font in another size, in points.
    open func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(fontName, size: fontSize) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIFont else { return false }
        return other.fontName == fontName && other.pointSize == pointSize
    }

    open override var hash: Int { fontName.hashValue ^ pointSize.hashValue }

    /// The weight of a font. Raw values: Apple, `UIFontWeight`.
    public struct Weight: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// The weight -0.8, on a scale from -1 to 1.
        public static let ultraLight = Self(rawValue: -0.8)
        /// The weight -0.6, on a scale from -1 to 1.
        public static let thin = Self(rawValue: -0.6)
        /// The weight -0.4, on a scale from -1 to 1.
        public static let light = Self(rawValue: -0.4)
        /// The weight 0, on a scale from -1 to 1.
        public static let regular = Self(rawValue: 0)
        /// The weight 0.23, on a scale from -1 to 1.
        public static let medium = Self(rawValue: 0.23)
        /// The weight 0.3, on a scale from -1 to 1.
        public static let semibold = Self(rawValue: 0.3)
        /// The weight 0.4, on a scale from -1 to 1.
        public static let bold = Self(rawValue: 0.4)
        /// The weight 0.56, on a scale from -1 to 1.
        public static let heavy = Self(rawValue: 0.56)
        /// The weight 0.62, on a scale from -1 to 1.
        public static let black = Self(rawValue: 0.62)

        private static let names: [Weight: String] = [
            .ultraLight: "Ultralight", .thin: "Thin", .light: "Light", .medium: "Medium", .semibold: "Semibold",
            .bold: "Bold",
            .heavy: "Heavy", .black: "Black",
        ]

        fileprivate var name: String { Self.names[self] ?? "Regular" }
    }

    /// The use of text.
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The largest titles: 34 points at the usual text size.
        public static let largeTitle = Self(rawValue: "UICTFontTextStyleTitle0")
        /// Titles of the first level: 28 points.
        public static let title1 = Self(rawValue: "UICTFontTextStyleTitle1")
        /// Titles of the second level: 22 points.
        public static let title2 = Self(rawValue: "UICTFontTextStyleTitle2")
        /// Titles of the third level: 20 points.
        public static let title3 = Self(rawValue: "UICTFontTextStyleTitle3")
        /// Headings: 17 points, bold.
        public static let headline = Self(rawValue: "UICTFontTextStyleHeadline")
        /// Headings of the second level: 15 points.
        public static let subheadline = Self(rawValue: "UICTFontTextStyleSubhead")
        /// Text: 17 points.
        public static let body = Self(rawValue: "UICTFontTextStyleBody")
        /// Text that stands out: 16 points.
        public static let callout = Self(rawValue: "UICTFontTextStyleCallout")
        /// Notes: 13 points.
        public static let footnote = Self(rawValue: "UICTFontTextStyleFootnote")
        /// Captions: 12 points.
        public static let caption1 = Self(rawValue: "UICTFontTextStyleCaption1")
        /// Small captions: 11 points.
        public static let caption2 = Self(rawValue: "UICTFontTextStyleCaption2")

        private static let sizes: [TextStyle: CGFloat] = [
            .largeTitle: 34, .title1: 28, .title2: 22, .title3: 20, .subheadline: 15, .callout: 16, .footnote: 13,
            .caption1: 12, .caption2: 11,
        ]

        fileprivate var size: CGFloat { Self.sizes[self] ?? 17 }
    }
}
