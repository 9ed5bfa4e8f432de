/// A category and its buttons, as they cross the port.
public struct CategoryRecord: Hashable, Sendable, Codable {
    public var identifier: String
    public var actions: [ActionRecord]
    /// Where there is little room, if those are others than the first: an app of iOS 8 and 9 may say so.
    public var minimalActions: [ActionRecord]?
    public var intentIdentifiers: [String]
    /// As `UNNotificationCategoryOptions`.
    public var options: UInt
    public var hiddenPreviewsBodyPlaceholder = ""
    public var categorySummaryFormat = ""
    /// Of these two, which are taken from a strings file when they are shown, by what they say now.
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
    /// As `UNNotificationActionOptions`.
    public var options: UInt
    public var icon: IconRecord?
    /// The button asks for text.
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

/// What a button that asks for text says.
public struct TextInputRecord: Hashable, Sendable, Codable {
    /// Empty for the system's own word.
    public var buttonTitle: String
    public var placeholder: String

    public init(buttonTitle: String, placeholder: String) {
        self.buttonTitle = buttonTitle
        self.placeholder = placeholder
    }
}
