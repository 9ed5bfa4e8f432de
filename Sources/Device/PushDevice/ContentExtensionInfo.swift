public import PushModel

/// What a content extension declares in its Info.plist.
///
/// Source: Apple, "UNNotificationContentExtension", the keys of `NSExtensionAttributes`.
public struct ContentExtensionInfo: Hashable, Sendable {
    /// The categories whose expanded view it makes.
    public var categories: [String]
    /// The height of its view at first, in widths; more than 0.
    public var initialContentSizeRatio: Double
    /// Title, subtitle and body are not shown beside its view.
    public var hidesDefaultContent = false
    /// The bar above has the title of its view controller, not the app's name.
    public var overridesDefaultTitle = false
    /// A touch goes to its view, and does not open the app.
    public var allowsUserInteraction = false

    public init(categories: [String], initialContentSizeRatio: Double = 1) {
        self.categories = categories
        self.initialContentSizeRatio = initialContentSizeRatio
    }

    /// Reads an Info.plist.
    ///
    /// - Parameter info: the whole file; what counts is `NSExtension.NSExtensionAttributes`.
    /// - Throws: ``Problem`` where a key that Apple requires is missing or of another kind.
    public init(info: JSONObject) throws(Problem) {
        let attributes = info["NSExtension"]?.object?["NSExtensionAttributes"]?.object ?? [:]
        let category = attributes["UNNotificationExtensionCategory"]
        guard let categories = category?.string.map({ [$0] }) ?? category?.array?.compactMap(\.string),
            !categories.isEmpty
        else {
            throw Problem(key: "UNNotificationExtensionCategory", expected: "a category, or an array of categories")
        }
        guard let ratio = attributes["UNNotificationExtensionInitialContentSizeRatio"]?.double, ratio > 0 else {
            throw Problem(key: "UNNotificationExtensionInitialContentSizeRatio", expected: "a number above 0")
        }
        self.init(categories: categories, initialContentSizeRatio: ratio)
        hidesDefaultContent = attributes["UNNotificationExtensionDefaultContentHidden"]?.bool ?? false
        overridesDefaultTitle = attributes["UNNotificationExtensionOverridesDefaultTitle"]?.bool ?? false
        allowsUserInteraction = attributes["UNNotificationExtensionUserInteractionEnabled"]?.bool ?? false
    }

    /// Why an extension cannot be installed.
    public struct Problem: Error, Hashable, CustomStringConvertible {
        public var key: String
        public var expected: String

        public var description: String {
            "The content extension's Info.plist needs \(key) in NSExtension.NSExtensionAttributes: \(expected)."
        }
    }
}
