/// A button of a category.
public struct ActionRecord: Hashable, Sendable, Codable {
    /// The button's identifier.
    public var identifier: String
    /// The button's title.
    public var title: String
    /// The `UNNotificationActionOptions`.
    public var options: UInt
    /// The picture on the button; nil for none.
    public var icon: IconRecord?
    /// The text input of a button that asks for text.
    public var textInput: TextInputRecord?

    /// Creates a button.
    public init(identifier: String, title: String, options: UInt) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }

    /// The bits of `UNNotificationActionOptions`.
    public static let authenticationRequired: UInt = 1
    /// The bit that shows the button as destructive.
    public static let destructive: UInt = 2
    /// The bit that brings the app to the foreground.
    public static let foreground: UInt = 4
}
