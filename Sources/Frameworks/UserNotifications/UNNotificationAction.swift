public import Foundation
package import SystemPort

/// The behaviour of a button. Raw values: Apple, `UNNotificationActionOptions`.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Requires a locked device to be unlocked first.
    public static let authenticationRequired = Self(rawValue: 1)
    /// Shown in red; has no other effect.
    public static let destructive = Self(rawValue: 2)
    /// Unlocks the device and brings the app to the foreground.
    public static let foreground = Self(rawValue: 4)
}

/// A button. `@unchecked Sendable`: it is immutable.
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: ActionRecord

    init(_ record: ActionRecord) { self.record = record }

    public required convenience init?(coder: NSCoder) {
        guard let record: ActionRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

    /// Creates a button without a picture.
    public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.init(Self.record(identifier: identifier, title: title, options: options, icon: nil))
    }

    /// Creates a button with a picture (iOS 15).
    public convenience init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?
    ) { self.init(Self.record(identifier: identifier, title: title, options: options, icon: icon)) }

    class func record(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions,
        icon: UNNotificationActionIcon?
    ) -> ActionRecord {
        SystemSymbol.action.require()
        var record = ActionRecord(identifier: identifier, title: title, options: options.rawValue)
        record.icon = icon?.record
        return record
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The identifier that the app's delegate receives.
    open var identifier: String { record.identifier }
    /// The title of the button.
    open var title: String { record.title }
    /// The conditions of the button, and what it does.
    open var options: UNNotificationActionOptions { UNNotificationActionOptions(rawValue: record.options) }
    /// The picture on the button; nil for none.
    open var icon: UNNotificationActionIcon? { record.icon.map(UNNotificationActionIcon.init) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAction)?.record == record }
    open override var hash: Int { record.hashValue }

    package static func make(_ record: ActionRecord) -> UNNotificationAction {
        record.textInput == nil ? UNNotificationAction(record) : UNTextInputNotificationAction(record)
    }
}

/// A button that asks for text. `@unchecked Sendable`: it is immutable.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// Creates a button that asks for text.
    public convenience init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        var record = Self.record(identifier: identifier, title: title, options: options, icon: nil)
        record.textInput = TextInputRecord(buttonTitle: textInputButtonTitle, placeholder: textInputPlaceholder)
        self.init(record)
    }

    /// Creates a button that asks for text, with a picture (iOS 15).
    public convenience init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?,
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        var record = Self.record(identifier: identifier, title: title, options: options, icon: icon)
        record.textInput = TextInputRecord(buttonTitle: textInputButtonTitle, placeholder: textInputPlaceholder)
        self.init(record)
    }

    /// Returns a record; the parent's initialisers make a button with the system's own title and no placeholder.
    override class func record(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions,
        icon: UNNotificationActionIcon?
    ) -> ActionRecord {
        var record = super.record(identifier: identifier, title: title, options: options, icon: icon)
        record.textInput = TextInputRecord(buttonTitle: "", placeholder: "")
        return record
    }

    /// The title of the send button; empty for the system's own.
    open var textInputButtonTitle: String { record.textInput?.buttonTitle ?? "" }
    /// The text in the empty field.
    open var textInputPlaceholder: String { record.textInput?.placeholder ?? "" }
}
