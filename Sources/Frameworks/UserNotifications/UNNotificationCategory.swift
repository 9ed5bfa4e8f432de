public import Foundation
package import SystemPort

public struct UNNotificationActionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let authenticationRequired = Self(rawValue: 1)
    public static let destructive = Self(rawValue: 2)
    public static let foreground = Self(rawValue: 4)
}

/// A button. `@unchecked Sendable`: it never changes.
open class UNNotificationAction: NSObject, NSCopying, @unchecked Sendable {
    let record: ActionRecord

    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        record = ActionRecord(identifier: identifier, title: title, options: options.rawValue)
    }

    open var identifier: String { record.identifier }
    open var title: String { record.title }
    open var options: UNNotificationActionOptions { UNNotificationActionOptions(rawValue: record.options) }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAction)?.record == record }
    open override var hash: Int { record.hashValue }
}

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The app hears when the person clears the notification.
    public static let customDismissAction = Self(rawValue: 1)
    public static let allowInCarPlay = Self(rawValue: 2)
    public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
}

/// A kind of notification and its buttons. `@unchecked Sendable`: it never changes.
open class UNNotificationCategory: NSObject, NSCopying, @unchecked Sendable {
    package let record: CategoryRecord

    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            CategoryRecord(
                identifier: identifier,
                actions: actions.map(\.record),
                intentIdentifiers: intentIdentifiers,
                options: options.rawValue
            )
        )
    }

    package init(_ record: CategoryRecord) { self.record = record }

    open var identifier: String { record.identifier }
    open var actions: [UNNotificationAction] {
        record.actions.map {
            UNNotificationAction(
                identifier: $0.identifier,
                title: $0.title,
                options: UNNotificationActionOptions(rawValue: $0.options)
            )
        }
    }
    open var intentIdentifiers: [String] { record.intentIdentifiers }
    open var options: UNNotificationCategoryOptions { UNNotificationCategoryOptions(rawValue: record.options) }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationCategory)?.record == record }
    open override var hash: Int { record.hashValue }
}
