public import PushModel

/// The declarations in a content extension's Info.plist.
///
/// Source: Apple, "UNNotificationContentExtension", the keys of `NSExtensionAttributes`.
public struct ContentExtensionInfo: Hashable, Sendable {
    /// The categories whose expanded view it provides.
    public var categories: [String]
    /// The initial height of its view as a multiple of its width; greater than 0.
    public var initialContentSizeRatio: Double
    /// Whether title, subtitle and body are hidden beside its view.
    public var hidesDefaultContent = false
    /// Whether the bar shows the title of its view controller rather than the app's name.
    public var overridesDefaultTitle = false
    /// Whether touches go to its view instead of opening the app.
    public var allowsUserInteraction = false

    /// Creates the declarations of an extension for these categories.
    public init(categories: [String], initialContentSizeRatio: Double = 1) {
        self.categories = categories
        self.initialContentSizeRatio = initialContentSizeRatio
    }

    /// Reads an Info.plist.
    ///
    /// - Parameter info: the whole file; only `NSExtension.NSExtensionAttributes` is used.
    /// - Throws: ``Problem`` if a key that Apple requires is missing or has the wrong type.
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

    /// The reason an extension cannot be installed.
    public struct Problem: Error, Hashable, CustomStringConvertible {
        /// The key of the Info.plist.
        public var key: String
        /// The value that was expected.
        public var expected: String

        public var description: String {
            "The content extension's Info.plist needs \(key) in NSExtension.NSExtensionAttributes: \(expected)."
        }
    }
}

/// A content extension that is installed with its app.
package struct ContentExtensionProgram: Sendable {
    package var info: ContentExtensionInfo
    /// Starts a process of the extension, once for each expanded view.
    package var launch: Device.Launcher

    package init(info: ContentExtensionInfo, launch: @escaping Device.Launcher) {
        self.info = info
        self.launch = launch
    }
}
