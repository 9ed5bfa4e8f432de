public import Foundation
import SystemPort
import UserNotifications

/// The title of the button that sends the text, a `String` in ``UIUserNotificationAction/parameters``.
@available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationAction.")
public let UIUserNotificationTextInputActionButtonTitleKey = "UIUserNotificationActionTextInputButtonTitle"

/// Whether a button brings the app to the foreground.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationActionOptions.")
public enum UIUserNotificationActivationMode: UInt, Sendable {
    /// The button brings the app to the foreground.
    case foreground = 0
    /// The button wakes the app in the background.
    case background = 1
}

/// Whether a button asks for text.
@available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationAction.")
public enum UIUserNotificationActionBehavior: UInt, Sendable {
    /// The button acts at once.
    case `default` = 0
    /// The button asks for text (iOS 9).
    case textInput = 1
}

/// A button of a notification, as apps of iOS 8 and 9 create it. Two are equal if all their contents are.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationAction.")
open class UIUserNotificationAction: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    fileprivate struct Fields: Hashable, Codable {
        var identifier: String?
        var title: String?
        var behavior: UInt = 0
        /// The title of the button that sends the text, from `parameters`.
        var sendTitle: String?
        var activationMode: UInt = 0
        var isAuthenticationRequired = false
        var isDestructive = false
    }

    fileprivate var fields = Fields()

    public override init() { super.init() }

    public required init?(coder: NSCoder) {
        guard let fields: Fields = RecordCoding.decode(from: coder) else { return nil }
        self.fields = fields
    }

    /// The identifier that the app's delegate receives.
    open var identifier: String? { fields.identifier }
    /// The title of the button.
    open var title: String? { fields.title }

    /// Whether the button asks for text.
    @available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationAction.")
    open var behavior: UIUserNotificationActionBehavior {
        UIUserNotificationActionBehavior(rawValue: fields.behavior) ?? .default
    }

    /// The parameters, of which only ``UIUserNotificationTextInputActionButtonTitleKey`` has an effect.
    @available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationAction.")
    open var parameters: [AnyHashable: Any] {
        fields.sendTitle.map { [UIUserNotificationTextInputActionButtonTitleKey: $0] } ?? [:]
    }

    /// Where the app handles the button.
    open var activationMode: UIUserNotificationActivationMode {
        UIUserNotificationActivationMode(rawValue: fields.activationMode) ?? .foreground
    }

    /// Whether the device must be unlocked; always true if the button brings the app to the foreground.
    open var isAuthenticationRequired: Bool { activationMode == .foreground || fields.isAuthenticationRequired }

    /// Whether the button destroys something.
    open var isDestructive: Bool { fields.isDestructive }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(fields, with: coder) }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UIUserNotificationAction()
        copy.fields = fields
        return copy
    }

    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UIMutableUserNotificationAction()
        copy.fields = fields
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIUserNotificationAction)?.fields == fields }

    open override var hash: Int { fields.hashValue }

    /// The button as sent over the port; nil without an identifier, as it could not be identified.
    var record: ActionRecord? {
        guard let identifier else { return nil }
        var options: UInt = 0
        if activationMode == .foreground { options |= ActionRecord.foreground }
        if isAuthenticationRequired { options |= ActionRecord.authenticationRequired }
        if isDestructive { options |= ActionRecord.destructive }
        var record = ActionRecord(identifier: identifier, title: title ?? "", options: options)
        if fields.behavior == UIUserNotificationActionBehavior.textInput.rawValue {
            record.textInput = TextInputRecord(buttonTitle: fields.sendTitle ?? "", placeholder: "")
        }
        return record
    }

    /// - Parameter record: the button as received over the port.
    convenience init(_ record: ActionRecord) {
        self.init()
        fields.identifier = record.identifier
        fields.title = record.title
        fields.behavior = record.textInput == nil ? 0 : UIUserNotificationActionBehavior.textInput.rawValue
        fields.sendTitle = record.textInput.flatMap { $0.buttonTitle.isEmpty ? nil : $0.buttonTitle }
        let isForeground = record.options & ActionRecord.foreground != 0
        fields.activationMode = (isForeground ? UIUserNotificationActivationMode.foreground : .background).rawValue
        fields.isAuthenticationRequired = record.options & ActionRecord.authenticationRequired != 0
        fields.isDestructive = record.options & ActionRecord.destructive != 0
    }
}

/// A button under construction.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationAction.")
open class UIMutableUserNotificationAction: UIUserNotificationAction {
    public override init() {
        SystemSymbol.mutableAction.require()
        super.init()
    }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open override var identifier: String? {
        get { fields.identifier }
        set { fields.identifier = newValue }
    }

    open override var title: String? {
        get { fields.title }
        set { fields.title = newValue }
    }

    @available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationAction.")
    open override var behavior: UIUserNotificationActionBehavior {
        get { super.behavior }
        set { if SystemSymbol.setBehavior.require() { fields.behavior = newValue.rawValue } }
    }

    @available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationAction.")
    open override var parameters: [AnyHashable: Any] {
        get { super.parameters }
        set {
            guard SystemSymbol.setParameters.require() else { return }
            fields.sendTitle = newValue[UIUserNotificationTextInputActionButtonTitleKey] as? String
        }
    }

    /// The activation mode; initially ``UIUserNotificationActivationMode/foreground``.
    open override var activationMode: UIUserNotificationActivationMode {
        get { super.activationMode }
        set { fields.activationMode = newValue.rawValue }
    }

    open override var isAuthenticationRequired: Bool {
        get { super.isAuthenticationRequired }
        set { fields.isAuthenticationRequired = newValue }
    }

    open override var isDestructive: Bool {
        get { fields.isDestructive }
        set { fields.isDestructive = newValue }
    }
}

/// The user's text, a `String` in `responseInfo`.
@available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationResponse.userText.")
public let UIUserNotificationActionResponseTypedTextKey = "UIUserNotificationActionResponseTypedTextKey"
