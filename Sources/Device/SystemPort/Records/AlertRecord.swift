/// An alert or an action sheet of an app, as the user sees it.
public struct AlertRecord: Hashable, Sendable, Codable {
    /// The form of an alert.
    public enum Style: String, Hashable, Sendable, Codable {
        /// A box in the middle of the screen.
        case alert
        /// Buttons from the bottom of the screen.
        case actionSheet
    }

    /// A button.
    public struct Button: Hashable, Sendable, Codable {
        /// The meaning of a button, which decides its place and colour.
        public enum Role: String, Hashable, Sendable, Codable {
            /// A button as usual.
            case normal
            /// The button that leaves everything as it is.
            case cancel
            /// A button that destroys something.
            case destructive
        }

        /// The title of the button.
        public var title: String
        /// The meaning of the button.
        public var role: Role
        /// Whether the button can be tapped.
        public var isEnabled: Bool

        /// Creates a button.
        public init(title: String, role: Role = .normal, isEnabled: Bool = true) {
            self.title = title
            self.role = role
            self.isEnabled = isEnabled
        }
    }

    /// A text field.
    public struct Field: Hashable, Sendable, Codable {
        /// The text that the empty field shows.
        public var placeholder: String
        /// The text in the field.
        public var text: String
        /// Whether the field hides what is written.
        public var isSecure: Bool

        /// Creates a text field.
        public init(placeholder: String = "", text: String = "", isSecure: Bool = false) {
            self.placeholder = placeholder
            self.text = text
            self.isSecure = isSecure
        }

        /// The text as the screen shows it.
        public var visibleText: String { isSecure ? String(repeating: "•", count: text.count) : text }

        /// The field as the screen shows it.
        package var shown: Field { Field(placeholder: placeholder, text: visibleText, isSecure: isSecure) }
    }

    /// The id that the app's framework chose, unique within the app's process.
    public var id: String
    /// The form of the alert.
    public var style: Style
    /// The title; empty if there is none.
    public var title: String
    /// The text below the title; empty if there is none.
    public var message: String
    /// The text fields, from the top.
    public var fields: [Field]
    /// The buttons, in the order in which the app added them.
    public var buttons: [Button]

    /// Creates an alert.
    public init(
        id: String,
        style: Style = .alert,
        title: String,
        message: String,
        fields: [Field] = [],
        buttons: [Button] = []
    ) {
        self.id = id
        self.style = style
        self.title = title
        self.message = message
        self.fields = fields
        self.buttons = buttons
    }
}

/// An in-app view, without the system's notifications.
public struct InAppRecord: Hashable, Sendable, Codable {
    /// The id that the app chose.
    public var id: String
    /// The title of the view.
    public var title: String
    /// The text of the view.
    public var body: String

    /// Creates a view.
    public init(id: String, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }
}
