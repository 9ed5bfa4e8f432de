/// A category and its buttons, as sent over the port.
public struct CategoryRecord: Hashable, Sendable, Codable {
    /// The category's identifier, as pushes name it in `aps.category`.
    public var identifier: String
    /// The buttons, in the order in which they are shown.
    public var actions: [ActionRecord]
    /// The buttons where space is limited, if they differ from the first ones: an app of iOS 8 and 9 may specify them.
    public var minimalActions: [ActionRecord]?
    /// The identifiers of the intents that the category belongs to.
    public var intentIdentifiers: [String]
    /// The `UNNotificationCategoryOptions`.
    public var options: UInt
    /// The text shown instead of the body while previews are hidden; empty for the system's own.
    public var hiddenPreviewsBodyPlaceholder = ""
    /// The format of the summary of a group; empty for the system's own.
    public var categorySummaryFormat = ""
    /// The strings of these two texts that come from a strings file at display time, by their current text.
    public var localized: [String: LocalizedString] = [:]

    /// Creates a category.
    public init(identifier: String, actions: [ActionRecord], intentIdentifiers: [String], options: UInt) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
    }

    /// The bits of `UNNotificationCategoryOptions`.
    public static let customDismissAction: UInt = 1
    /// The bit that shows its notifications in CarPlay.
    public static let allowInCarPlay: UInt = 2
    /// The bit that shows the title while previews are hidden.
    public static let hiddenPreviewsShowTitle: UInt = 4
    /// The bit that shows the subtitle while previews are hidden.
    public static let hiddenPreviewsShowSubtitle: UInt = 8
}

/// The picture on a button.
public enum IconRecord: Hashable, Sendable, Codable {
    /// An image of the app, whose shape is drawn.
    case template(String)
    /// A symbol of the system, by its name.
    case system(String)
}

/// The texts of a button that asks for text.
public struct TextInputRecord: Hashable, Sendable, Codable {
    /// The title of its button; empty for the system's own.
    public var buttonTitle: String
    /// The text shown in the empty field.
    public var placeholder: String

    /// Creates the texts of a text input.
    public init(buttonTitle: String, placeholder: String) {
        self.buttonTitle = buttonTitle
        self.placeholder = placeholder
    }
}
