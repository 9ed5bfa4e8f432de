/// A text that is localized where it is shown: Foundation's own on Apple's systems, which Foundation on Linux does not have.
///
/// A text with interpolations is its own key: it is looked up as it is, not by a format.
@available(iOS 16.0, *)
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Codable, Hashable, Sendable {
    /// The key in the app's `Localizable.strings`, or the text itself.
    public let key: String

    public init(stringLiteral value: String) { key = value }

    /// Returns the text for the key; the key itself if there is none.
    func text(_ strings: [String: String]) -> String { strings[key] ?? key }
}
