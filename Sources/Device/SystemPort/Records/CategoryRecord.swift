/// A category and its buttons, as sent over the port.
public struct CategoryRecord: Hashable, Sendable, Codable {
    public var identifier: String
    public var actions: [ActionRecord]
    /// The buttons where space is limited, if they differ from the first ones: an app of iOS 8 and 9 may specify them.
    public var minimalActions: [ActionRecord]?
    public var intentIdentifiers: [String]
    /// The `UNNotificationCategoryOptions`.
    public var options: UInt
    public var hiddenPreviewsBodyPlaceholder = ""
    public var categorySummaryFormat = ""
    /// The strings of these two texts that come from a strings file at display time, by their current text.
    public var localized: [String: LocalizedString] = [:]

    public init(identifier: String, actions: [ActionRecord], intentIdentifiers: [String], options: UInt) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
    }

    /// The bits of `UNNotificationCategoryOptions`.
    public static let customDismissAction: UInt = 1
    public static let allowInCarPlay: UInt = 2
    public static let hiddenPreviewsShowTitle: UInt = 4
    public static let hiddenPreviewsShowSubtitle: UInt = 8
}

/// A button of a category.
public struct ActionRecord: Hashable, Sendable, Codable {
    public var identifier: String
    public var title: String
    /// The `UNNotificationActionOptions`.
    public var options: UInt
    public var icon: IconRecord?
    /// The text input of a button that asks for text.
    public var textInput: TextInputRecord?

    public init(identifier: String, title: String, options: UInt) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }

    /// The bits of `UNNotificationActionOptions`.
    public static let authenticationRequired: UInt = 1
    public static let destructive: UInt = 2
    public static let foreground: UInt = 4
}

/// The picture on a button.
public enum IconRecord: Hashable, Sendable, Codable {
    case template(String)
    case system(String)
}

/// The texts of a button that asks for text.
public struct TextInputRecord: Hashable, Sendable, Codable {
    /// The title of its button; empty for the system's own.
    public var buttonTitle: String
    public var placeholder: String

    public init(buttonTitle: String, placeholder: String) {
        self.buttonTitle = buttonTitle
        self.placeholder = placeholder
    }
}
