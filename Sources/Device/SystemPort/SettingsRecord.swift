/// What a person allows an app, with the raw values of Apple's types.
public struct SettingsRecord: Hashable, Sendable {
    /// As `UNAuthorizationStatus`: 0 not determined, 1 denied, 2 authorized, 3 provisional.
    public var status = 0
    /// The kinds that the app asked for, as `UNAuthorizationOptions`.
    public var requested: UInt = 0
    /// The kinds that are on, as `UNAuthorizationOptions`.
    public var allowed: UInt = 0

    public init() {}

    public static let badge: UInt = 1
    public static let sound: UInt = 2
    public static let alert: UInt = 4
    public static let provisional: UInt = 64
}

/// A category and its buttons, as they cross the port.
public struct CategoryRecord: Hashable, Sendable {
    public var identifier: String
    public var actions: [ActionRecord]
    public var intentIdentifiers: [String]
    /// As `UNNotificationCategoryOptions`.
    public var options: UInt

    public init(identifier: String, actions: [ActionRecord], intentIdentifiers: [String], options: UInt) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
    }

    /// The bit of `UNNotificationCategoryOptions.customDismissAction`.
    public static let customDismissAction: UInt = 1
}

/// A button of a category.
public struct ActionRecord: Hashable, Sendable {
    public var identifier: String
    public var title: String
    /// As `UNNotificationActionOptions`.
    public var options: UInt

    public init(identifier: String, title: String, options: UInt) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }
}
